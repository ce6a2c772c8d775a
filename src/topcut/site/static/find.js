// Finds a player while one types; without it the page shows everybody.
(function () {
  "use strict";

  function plain(text) {
    return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  }

  document.querySelectorAll("[data-find]").forEach(function (finder) {
    var field = finder.querySelector("input");
    var says = finder.querySelector("[role=status]");
    var rows = Array.prototype.map.call(
      document.querySelectorAll("#" + finder.dataset.find + " tbody tr"),
      function (row) {
        var names = Array.prototype.map.call(row.querySelectorAll("a.name"), function (name) { return plain(name.textContent); });
        return { row: row, names: names };
      }
    );
    function find() {
      var words = plain(field.value).split(/\s+/).filter(Boolean);
      var found = 0;
      rows.forEach(function (one) {
        var here = one.names.some(function (name) {
          return words.every(function (word) { return name.indexOf(word) >= 0; });
        });
        one.row.hidden = !here;
        found += here ? 1 : 0;
      });
      says.textContent = !words.length ? "" : !found ? finder.dataset.none : finder.dataset.found.replace("{found}", found).replace("{all}", rows.length);
    }
    field.addEventListener("input", find);
    finder.hidden = false;
    find(); // what a browser kept in the field
  });
})();
