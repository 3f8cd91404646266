// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html_style.h"

namespace teff::report {

// Lines: the palette of Okabe and Ito without its yellow, which cannot be seen on white; its black is white on dark ground.
// Heat: one hue, so that it is a row of greys for those who see no colours; the ground is the best, farther from it is slower.
// Print is always light: the dark values are for screens only.
const char* const page_style = R"(
:root {
  color-scheme: light dark;
  --ground: #ffffff; --ink: #1b1f24; --soft: #5a626b; --rule: #c9ced4; --grid: #e7eaed; --head: #f3f5f7; --alarm: #b3261e;
  --s0: #000000; --s1: #0072b2; --s2: #d55e00; --s3: #009e73; --s4: #e69f00; --s5: #56b4e9; --s6: #cc79a7;
  --h1: #fdf0dc; --h2: #fbdcb0; --h3: #f5bd78; --h4: #e8924a; --h5: #9c4a0c; --h5-ink: #ffffff; --h-ink: #1b1f24;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --ink: #e8eaed; --soft: #a3abb3; --rule: #4a5159; --grid: #2a2f34; --head: #1e2328; --alarm: #ff8a80;
    --s0: #ffffff; --s1: #3a9bd9; --s2: #e8702a; --s3: #17b890; --s4: #e69f00; --s5: #8fd0f5; --s6: #dd9cc0;
    --h1: #2c2216; --h2: #453013; --h3: #664410; --h4: #8a5a0c; --h5: #e69f00; --h5-ink: #14171a; --h-ink: #f2f4f6;
  }
}
body { margin: 0 auto; max-width: 1240px; padding: 1.5rem 1rem 3rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .3rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; padding-top: .8rem; border-top: 1px solid var(--rule); }
p { margin: .4rem 0; overflow-wrap: anywhere; }
.lead { font-size: 1.05rem; }
.alarm { border-left: 4px solid var(--alarm); padding: .4rem .8rem; font-weight: 600; color: var(--alarm); }
.finding { font-weight: 600; }
.reason { padding-left: 1.4rem; }
.note, figcaption { color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1.2rem; margin: .8rem 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .87rem; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .18rem .5rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--grid); }
th { font-weight: 600; }
thead th { background: var(--head); border-bottom: 1px solid var(--rule); vertical-align: bottom; }
.name { text-align: left; }
.records tbody tr:hover { background: var(--head); }
.wrong { color: var(--alarm); font-weight: 600; text-align: left; }
thead button { all: unset; cursor: pointer; }
thead button:focus-visible { outline: 2px solid var(--s1); outline-offset: 2px; }
th[aria-sort="ascending"] button::after { content: " \2191"; }
th[aria-sort="descending"] button::after { content: " \2193"; }
.heat { margin-bottom: 1.2rem; font-size: .82rem; }
.heat th, .heat td { padding: .18rem .3rem; }
.heat tfoot th, .heat tfoot td { border-top: 2px solid var(--rule); }
.h0 { color: var(--ink); }
.h1 { background: var(--h1); color: var(--h-ink); }
.h2 { background: var(--h2); color: var(--h-ink); }
.h3 { background: var(--h3); color: var(--h-ink); }
.h4 { background: var(--h4); color: var(--h-ink); }
.h5 { background: var(--h5); color: var(--h5-ink); }
.best { font-weight: 700; }
.champion { font-weight: 700; outline: 2px solid currentColor; outline-offset: -2px; }
.steps span { display: inline-block; padding: 0 .5rem; margin-right: .25rem; border: 1px solid var(--rule); }
figure { margin: 1rem 0 1.6rem; }
figcaption { max-width: 46rem; }
svg { display: block; max-width: 100%; height: auto; font: 13px system-ui, sans-serif; }
svg text { fill: var(--ink); }
svg .tick { fill: var(--soft); font-variant-numeric: tabular-nums; }
.frame { fill: none; stroke: var(--rule); }
.grid { stroke: var(--grid); }
.bound { stroke: var(--soft); stroke-width: 1.5; }
.serial { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 1 4; stroke-linecap: round; }
.curve { fill: none; stroke: currentColor; stroke-width: 1.8; }
.marker { fill: currentColor; stroke: currentColor; stroke-width: 1.8; }
.whisker { stroke: currentColor; stroke-width: 1.3; }
.near { fill: none; pointer-events: all; }
.point:hover .marker { stroke-width: 4; }
.tie { color: var(--s1); }
.slower { color: var(--s2); }
.slower .marker { fill: var(--ground); }
.s0 { color: var(--s0); }
.s1 { color: var(--s1); }
.s2 { color: var(--s2); }
.s3 { color: var(--s3); }
.s4 { color: var(--s4); }
.s5 { color: var(--s5); }
.s6 { color: var(--s6); }
.part { stroke: var(--ground); stroke-width: .5; }
.p-own_work { fill: var(--s3); }
.p-own_memory { fill: var(--s5); }
.p-put_get { fill: var(--s1); }
.p-lock_wait { fill: var(--s2); }
.p-stealing { fill: var(--s4); }
.p-searching_beside_tasks { fill: var(--s6); }
.p-searching_alone { fill: var(--soft); }
.p-parked { fill: var(--grid); }
.p-parked_beside_tasks { fill: var(--h3); }
.p-waking { fill: var(--alarm); }
.p-being_woken { fill: var(--h4); }
.p-system_memory { fill: var(--h5); }
.p-without_processor { fill: var(--h2); }
.p-fibers { fill: var(--s0); }
.p-outside_runs { fill: var(--rule); }
@media print {
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  figure, .heat, h2, dl { break-inside: avoid; }
  h2 { break-after: avoid; }
  thead { display: table-header-group; }
  .wide { overflow: visible; }
  table { font-size: 7.5pt; }
  .heat { font-size: 6pt; }
  thead button { display: contents; }
  th, td { padding: .1rem .25rem; }
  .heat th, .heat td { padding: .1rem .2rem; }
}
)";

const char* const page_script = R"(
for (const table of document.querySelectorAll("table.records")) {
  const heads = Array.from(table.tHead.rows[0].cells);
  const key = (row, column) => {
    const cell = row.cells[column];
    const text = cell ? cell.dataset.value || cell.textContent : "";
    return Number.isNaN(Number(text)) || text === "" ? text : Number(text);
  };
  const order = (a, b) => {
    if (typeof a === typeof b) return typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
    return typeof a === "number" ? -1 : 1;
  };
  const sort = (column) => {
    const down = heads[column].getAttribute("aria-sort") === "ascending";
    for (const head of heads) head.removeAttribute("aria-sort");
    heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = Array.from(table.tBodies[0].rows);
    rows.sort((a, b) => (down ? -1 : 1) * order(key(a, column), key(b, column)));
    table.tBodies[0].append(...rows);
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(column));
  });
}
)";

}  // namespace teff::report
