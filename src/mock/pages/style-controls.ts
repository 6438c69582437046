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
