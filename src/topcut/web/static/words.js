// Says sentences in the language of the page. English is in the code; the page brings the texts of another language.

const texts = globalThis.topcutTexts ?? {};

export const language = document.documentElement.lang;

export function say(template, fields = {}) { return fill(texts[template] ?? template, fields); }

export function count(one, several, n, fields = {}) {
  const forms = texts[one];
  return fill(forms ? forms[Math.min(globalThis.topcutForm(n), forms.length - 1)] : n === 1 ? one : several, { n, ...fields });
}

export function list(items) { return new Intl.ListFormat(language, { type: "conjunction" }).format(items); }

function fill(template, fields) {
  return template.replace(/\{(\w+)\}/g, (_, name) => fields[name]);
}
