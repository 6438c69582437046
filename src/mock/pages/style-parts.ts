/** What pages are made of. A rule has no line break but between its parts. */
export const PARTS = `dl {
  display: grid;
  grid-template-columns: minmax(7rem, 11rem) 1fr;
  gap: 0.625rem 1.25rem;
  margin: 0 0 1.25rem;
  padding: 1.125rem 0;
  border-block: 1px solid var(--line);
}
dt { color: var(--quiet); }
dd { margin: 0; min-width: 0; }
dd ul { padding-left: 0; list-style: none; }
.scopes { display: flex; flex-wrap: wrap; gap: 0.375rem; }
.scopes code { padding: 0.0625rem 0.4375rem; background: var(--inset); border: 1px solid var(--line); border-radius: 0.3125rem; }
.user-code { font: 600 1.75rem/1.3 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; letter-spacing: 0.06em; }
.shown-code { margin: 1.25rem 0; padding: 1.25rem 0.75rem; background: var(--inset); border: 1px solid var(--line); border-radius: 0.625rem; text-align: center; }
.shown-code .user-code { font-size: clamp(1.75rem, 9vw, 2.75rem); white-space: nowrap; }
.notice, .problem { padding: 0.75rem 1rem; border-left: 4px solid var(--expired); background: var(--expired-ground); border-radius: 0.375rem; }
.problem { margin-top: 0.75rem; border-left-color: var(--refused); background: var(--refused-ground); }
.told { display: flex; gap: 0.625rem; align-items: flex-start; padding: 0.75rem 1rem; color: var(--done); background: var(--done-ground); border-radius: 0.375rem; }
.told .icon { flex: none; margin-top: 0.0625rem; }
.empty { padding: 1.5rem 1rem; color: var(--quiet); background: var(--inset); border-radius: 0.625rem; text-align: center; }
.card { margin: 0 0 1rem; padding: clamp(1rem, 4vw, 1.25rem); border: 1px solid var(--line); border-radius: 0.625rem; }
.card > :last-child { margin-bottom: 0; }
.card dl { margin: 0 0 1rem; padding: 0.875rem 0 0; border-bottom: 0; }
.own-words { padding: 0.0625rem 0.375rem; -webkit-box-decoration-break: clone; box-decoration-break: clone; background: var(--inset); border: 1px dashed var(--edge); border-radius: 0.3125rem; }
.letter p:last-child { margin-bottom: 0; }
.outcome .word {
  display: inline-flex;
  gap: 0.5rem;
  align-items: center;
  margin: 0 0 1.125rem;
  padding: 0.3125rem 0.875rem 0.3125rem 0.4375rem;
  color: var(--tone);
  background: var(--tone-ground);
  border-radius: 2rem;
  font-size: 0.9375rem;
  font-weight: 650;
}
.outcome > :last-child { margin-bottom: 0; }
.outcome { --tone: var(--refused); --tone-ground: var(--refused-ground); }
.outcome.done { --tone: var(--done); --tone-ground: var(--done-ground); }
.outcome.expired { --tone: var(--expired); --tone-ground: var(--expired-ground); }
.outcome h1 { color: var(--tone); }
main:has(.done) { --edge-tone: var(--done); }
main:has(.refused, .failed) { --edge-tone: var(--refused); }
main:has(.expired) { --edge-tone: var(--expired); }
main:has(.outcome) { border-top: 4px solid var(--edge-tone); }
.icon { flex: none; display: block; }
@property --t { syntax: "<integer>"; inherits: true; initial-value: 0; }
@property --h { syntax: "<integer>"; inherits: true; initial-value: 0; }
@property --m { syntax: "<integer>"; inherits: true; initial-value: 0; }
@property --s { syntax: "<integer>"; inherits: true; initial-value: 0; }
@keyframes tick { from { --t: 100000; } to { --t: 0; } }
@keyframes drain { to { transform: scaleX(0); } }
@keyframes leave { to { visibility: hidden; } }
@keyframes come { to { visibility: visible; } }
.countdown {
  --left: calc(var(--e4, 0) * 10000 + var(--e3, 0) * 1000 + var(--e2, 0) * 100 + var(--e1, 0) * 10 + var(--e0, 0));
  display: grid;
  margin: 0 0 1.25rem;
  overflow: hidden;
  background: var(--inset);
  border: 1px solid var(--line);
  border-radius: 0.625rem;
}
.countdown p { grid-area: 1 / 1; margin: 0; padding: 0.625rem 0.875rem; }
.countdown .icon { display: inline-block; width: 1.125rem; height: 1.125rem; margin-right: 0.125rem; color: var(--quiet); vertical-align: -0.1875rem; }
.words { font-weight: 600; }
.until { color: var(--quiet); }
.digits { display: none; font-weight: 650; font-variant-numeric: tabular-nums; }
.over { visibility: hidden; color: var(--expired); background: var(--expired-ground); font-weight: 600; }
.over::after { content: attr(data-over); }
.bar { display: block; width: 100%; height: 4px; fill: var(--accent); background: var(--line); transform-origin: 0 50%; }
.countdown:not(.still) .running { animation: leave 1ms calc(var(--left) * 1s) step-end forwards; }
.countdown:not(.still) .over { animation: come 1ms calc(var(--left) * 1s) step-end forwards; }
.still .bar { display: none; }
@media (prefers-reduced-motion: no-preference) {
  .countdown:not(.still) rect { transform-box: fill-box; transform-origin: 0 50%; animation: drain calc(var(--left) * 1s) linear forwards; }
  @supports (transition-behavior: allow-discrete) {
    .countdown:not(.still) .digits {
      --h: calc((var(--t) - 1799.5) / 3600);
      --m: calc((var(--t) - 29.5) / 60);
      --s: calc(var(--t) - 60 * var(--m));
      display: inline;
      animation: tick 100000s calc((var(--left) - 100000) * 1s) steps(100000) forwards;
    }
    .digits::after { counter-reset: m var(--m) s var(--s); content: counter(m) ":" counter(s, decimal-leading-zero); }
    .hours .digits { --mm: calc(var(--m) - 60 * var(--h)); }
    .hours .digits::after { counter-reset: h var(--h) m var(--mm) s var(--s); content: counter(h) ":" counter(m, decimal-leading-zero) ":" counter(s, decimal-leading-zero); }
    .countdown:not(.still) .words { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  }
}
@media (max-width: 30rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dt { font-size: 0.875rem; }
  dd { margin-bottom: 0.75rem; }
  dd:last-child { margin-bottom: 0; }
  .until { display: block; font-size: 0.875rem; }
}
@media (forced-colors: active) {
  .outcome .word, .notice, .problem, .told, .countdown { border: 1px solid CanvasText; }
  .bar { fill: CanvasText; }
}
`;
