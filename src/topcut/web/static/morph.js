// Turns one piece of a page into another without touching what is the same: focus, scroll and
// half-typed input stay. Children are matched by their id or data-key, else by kind and order.

const key = node => (node.nodeType === Node.ELEMENT_NODE && (node.id || node.dataset.key)) || null;

const alike = (a, b) =>
  a.nodeType === b.nodeType && a.nodeName === b.nodeName && key(a) === key(b);

export function morph(from, to) {
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  if (from.dataset.keep !== undefined) return; // its own script changes it
  attributes(from, to);
  if (from.nodeName === "TEXTAREA") {
    const untouched = from.value === from.defaultValue;
    from.defaultValue = to.defaultValue;
    if (untouched) from.value = to.defaultValue;
    return;
  }
  if (from.nodeName !== "SELECT") return children(from, to);
  const chosen = from.value, touched = [...from.options].some(option => option.selected !== option.defaultSelected);
  children(from, to);
  from.value = touched && [...from.options].some(option => option.value === chosen) ? chosen : to.value;
}

function attributes(from, to) {
  const typed = from.nodeName === "INPUT" && from.type !== "file" && from.value !== from.defaultValue ? from.value : null;
  for (const { name, value } of [...to.attributes]) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  if (typed !== null) from.value = typed;
  for (const { name } of [...from.attributes]) {
    if (to.hasAttribute(name)) continue;
    if (name === "open" && (from.nodeName === "DETAILS" || from.nodeName === "DIALOG")) continue;
    if (name === "hidden" && from.dataset.shown !== undefined) continue;
    from.removeAttribute(name);
  }
}

// Moves the elements before the one with the focus behind it: an element that moves loses the focus.
function clear(at, found) {
  let behind = found;
  while (at && at !== found) {
    const next = at.nextSibling;
    behind.after(at);
    behind = at;
    at = next;
  }
  return found;
}

// Tells whether an element stays although the new page lacks it: a field in which a person types, or lines that have
// not counted yet.
const typedIn = node =>
  node.contains(document.activeElement) && document.activeElement.matches("input:not([type=hidden]), textarea")
  || node.nodeType === Node.ELEMENT_NODE && node.matches("[data-unsaved]");

function children(from, to) {
  const known = new Map();
  for (const child of from.childNodes) if (key(child)) known.set(key(child), child);
  let at = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const name = key(wanted);
    let found = null;
    if (name && known.has(name)) found = known.get(name);
    else if (at && !key(at) && alike(at, wanted)) found = at;
    if (found && alike(found, wanted)) {
      if (found !== at && found.contains(document.activeElement)) at = clear(at, found);
      if (found === at) at = at.nextSibling;
      else from.insertBefore(found, at);
      morph(found, wanted);
    } else {
      const fresh = document.importNode(wanted, true);
      if (name && fresh.nodeType === Node.ELEMENT_NODE) fresh.classList.add("fresh");
      from.insertBefore(fresh, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    if (!typedIn(at)) at.remove();
    at = next;
  }
}
