/* What the theme leaves out for keyboards and screen readers. */
addEventListener("DOMContentLoaded", () => {
  for (const caption of document.querySelectorAll('p.caption[role="heading"]')) caption.setAttribute("aria-level", "2");
  const reach = () => {
    for (const box of document.querySelectorAll("pre, .table-wrapper, .formula, .claim, figure.picture"))
      box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1;
  };
  reach();
  addEventListener("resize", reach);
  for (const card of document.querySelectorAll(".sphx-glr-thumbcontainer"))
    card.querySelector("a")?.setAttribute("aria-label", card.querySelector(".sphx-glr-thumbnail-title")?.textContent ?? "");
  if (!document.querySelector("h1"))
    document.getElementById("search-results")?.insertAdjacentHTML("beforebegin", "<h1>Search</h1>");
  document.querySelector("aside.sidebar-drawer")?.setAttribute("aria-label", "Pages");
  document.querySelector("aside.toc-drawer")?.setAttribute("aria-label", "On this page");
});
