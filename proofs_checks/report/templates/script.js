// The page works without this: it filters the list, opens what a link leads to, and saves tab stops.
(function () {
  "use strict";
  const form = document.getElementById("filter");
  const claims = Array.from(document.querySelectorAll("details.claim"));
  const groups = Array.from(document.querySelectorAll("section.group"));
  const texts = claims.map((claim) => claim.textContent.toLowerCase());
  const names = Array.from(form.querySelectorAll("select"), (select) => select.name);
  const output = form.querySelector("output");

  function show() {
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = names.filter((name) => form.elements[name].value).map((name) => [name, form.elements[name].value]);
    let count = 0;
    claims.forEach((claim, k) => {
      const found = wanted.every(([name, value]) => claim.dataset[name] === value) && words.every((word) => texts[k].includes(word));
      claim.hidden = !found;
      count += found;
    });
    groups.forEach((group) => { group.hidden = !group.querySelector("details.claim:not([hidden])"); });
    output.textContent = count === claims.length ? count + " claims" : count + " of " + claims.length + " claims";
  }

  function all() {
    form.reset();
    show();
  }

  function follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const claim = target && target.closest("details");
    if (!claim) return;
    if (claim.hidden) all();
    claim.open = true;
    claim.querySelector("summary").focus({ preventScroll: true });
    requestAnimationFrame(() => claim.scrollIntoView()); // after the browser's own scrolling, when what is open has its height
  }

  // One tab stop for each row of squares; the arrow keys move within it.
  document.querySelectorAll("ol.squares").forEach((row) => {
    const links = Array.from(row.querySelectorAll("a"));
    links.forEach((link, k) => { link.tabIndex = k ? -1 : 0; });
    row.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const next = step && links[links.indexOf(document.activeElement) + step];
      if (!next) return;
      event.preventDefault();
      links.forEach((link) => { link.tabIndex = link === next ? 0 : -1; });
      next.focus();
    });
  });

  // What does not overflow needs no tab stop.
  const scrolling = Array.from(document.querySelectorAll("main [tabindex='0']:not(a)"));
  function stops() {
    scrolling.forEach((box) => { if (box.clientWidth) box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1; });
  }

  form.hidden = false;
  window.addEventListener("resize", stops);
  claims.forEach((claim) => claim.addEventListener("toggle", stops));
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.querySelector("button").addEventListener("click", all); // an event "reset" would come before the fields are empty
  window.addEventListener("hashchange", follow);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
      event.preventDefault();
      form.elements.text.focus();
    }
  });
  show();
  stops();
  window.addEventListener("load", follow);
})();
