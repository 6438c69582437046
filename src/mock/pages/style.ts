import { DIGIT_RULES } from './countdown-view.ts';

/** The colours of all pages, by light and by dark. A rule has no line break but between its parts. */
const PALETTE = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f5f7, #121519);
  --card: light-dark(#ffffff, #1b1f25);
  --inset: light-dark(#f7f8fa, #22272e);
  --text: light-dark(#1a1e24, #e7eaee);
  --quiet: light-dark(#56606b, #a4aeb9);
  --line: light-dark(#dde1e7, #333a43);
  --edge: light-dark(#7d8793, #7b8592);
  --accent: light-dark(#0b5cad, #7ab7ff);
  --accent-text: light-dark(#ffffff, #0c1420);
  --name: light-dark(#6437a5, #c6a7ff);
  --done: light-dark(#14733a, #6fd08c);
  --done-ground: light-dark(#e5f5ea, #17301f);
  --refused: light-dark(#a4262c, #ff9a9a);
  --refused-ground: light-dark(#fdecec, #381d1f);
  --expired: light-dark(#855300, #ecbd62);
  --expired-ground: light-dark(#fdf3dc, #342a14);
  --shade: light-dark(rgb(20 30 45 / 0.06), transparent);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
`;

/** What each page begins with, that of the live view too. */
export const BASE = `${PALETTE}* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
.aside { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.own-words { padding: 0.0625rem 0.375rem; -webkit-box-decoration-break: clone; box-decoration-break: clone; border: 1px dashed var(--edge); border-radius: 0.3125rem; }
`;

/** The page itself. */
const GROUND = `.provider { --accent: var(--name); }
body { font: 1rem/1.55 var(--sans); }
.banner {
  margin: 0;
  padding: 0.5rem 1rem;
  background: var(--expired-ground);
  color: var(--text);
  font-size: 0.8125rem;
  text-align: center;
}
.site, main { width: min(36rem, 100% - 2rem); margin-inline: auto; }
.site {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 0.75rem;
  align-items: center;
  padding: clamp(1.25rem, 5vh, 2.75rem) 0 1rem;
}
.site a {
  display: inline-flex;
  gap: 0.625rem;
  align-items: center;
  min-width: 0;
  min-height: 1.75rem;
  color: inherit;
  font-weight: 650;
  text-decoration: none;
}
.site a span { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; line-clamp: 2; }
.site a:hover { text-decoration: underline; }
.mark { flex: none; display: block; }
.role {
  padding: 0.0625rem 0.5rem;
  color: var(--quiet);
  border: 1px solid var(--line);
  border-radius: 1rem;
  font-size: 0.8125rem;
}
main {
  margin-bottom: 3rem;
  padding: clamp(1.25rem, 5vw, 2.25rem);
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 0.875rem;
  box-shadow: 0 1px 2px var(--shade), 0 8px 24px var(--shade);
}
main > :first-child { margin-top: 0; }
main > :last-child, main > :last-child > :last-child { margin-bottom: 0; }
h1 { margin: 0 0 0.75rem; font-size: clamp(1.375rem, 5vw, 1.625rem); font-weight: 680; line-height: 1.22; letter-spacing: -0.015em; text-wrap: balance; }
h2, h3 { margin: 0 0 0.5rem; font-size: 1.0625rem; line-height: 1.35; }
p { margin: 0 0 1rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
ul { margin: 0; padding-left: 1.25rem; }
code { font: 0.9em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
pre { margin: 0 0 1rem; padding: 0.625rem 0.875rem; background: var(--inset); border: 1px solid var(--line); border-radius: 0.5rem; font-size: 0.875rem; white-space: pre-wrap; }
bdi, output { unicode-bidi: isolate; }
.section { margin-top: 2rem; }
.plain { padding-left: 0; list-style: none; }
.plain li { margin-bottom: 0.75rem; }
.caption { margin-bottom: 0.25rem; }
.fine { color: var(--quiet); font-size: 0.875rem; }
`;

/** What a user types into and presses. A rule has no line break but between its parts. */
export const CONTROLS = `label { display: block; margin-bottom: 0.375rem; font-weight: 600; }
input:not([type="hidden"]) {
  display: block;
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  color: inherit;
  background: var(--card);
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
  font: inherit;
}
input[name="user_code"] { font-size: 1.25rem; font-variant-numeric: tabular-nums; letter-spacing: 0.08em; }
input::placeholder { color: var(--quiet); opacity: 0.7; }
input[aria-invalid="true"] { border-color: var(--refused); box-shadow: inset 0 0 0 1px var(--refused); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.5rem 0 0; }
button, .button, summary {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-height: 2.75rem;
  padding: 0.5rem 1.25rem;
  color: var(--accent-text);
  background: var(--accent);
  border: 1px solid var(--accent);
  border-radius: 0.5rem;
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button:hover { filter: brightness(1.1); }
button.secondary, .button.secondary { color: var(--text); background: transparent; border-color: var(--edge); }
button.danger { color: var(--card); background: var(--refused); border-color: var(--refused); }
summary { color: var(--refused); background: transparent; border-color: var(--line); list-style: none; }
summary::-webkit-details-marker { display: none; }
button.secondary:hover, .button.secondary:hover, summary:hover { background: var(--inset); filter: none; }
details[open] > summary { color: var(--text); border-color: var(--edge); }
.unfolded, details[open] > summary .folded { display: none; }
details[open] > summary .unfolded { display: inline; }
.asked { margin-top: 0.75rem; padding: 1rem; background: var(--refused-ground); border-radius: 0.5rem; }
.asked p:first-child { margin-bottom: 0.75rem; }
.asked .actions { margin-top: 0; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (max-width: 30rem) {
  .actions > * { flex: 1 1 8rem; }
}
@media (forced-colors: active) {
  button, summary { border: 2px solid ButtonText; }
}
`;

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
.own-words { background: var(--inset); }
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

export const STYLE_PATH = '/style.css';

/** The one style sheet of all pages; the content security policy allows no other style. */
export const STYLE = [BASE, GROUND, CONTROLS, PARTS]
  .map((part) => part.replace(/\s*\n\s*/g, ''))
  .concat(DIGIT_RULES)
  .join('\n');
