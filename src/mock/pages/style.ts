export const STYLE_PATH = '/style.css';

/** The one style sheet of all pages; the content security policy allows no other style. */
export const STYLE = `:root {
  color-scheme: light dark;
  --ground: #f5f6f8;
  --card: #ffffff;
  --text: #1b1f24;
  --quiet: #57606a;
  --line: #d5dae1;
  --accent: #0b5cad;
  --accent-text: #ffffff;
  --danger: #a4262c;
  --notice: #fff6dc;
  --notice-line: #d9a514;
  --problem: #fdecec;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b;
    --card: #1d2126;
    --text: #e8ebee;
    --quiet: #a3adb8;
    --line: #363d46;
    --accent: #79b8ff;
    --accent-text: #0d1117;
    --danger: #ff8f8f;
    --notice: #2d2714;
    --notice-line: #b98d13;
    --problem: #331c1e;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
.banner {
  margin: 0;
  padding: 0.5rem 1rem;
  background: var(--notice);
  border-bottom: 1px solid var(--notice-line);
  font-size: 0.875rem;
  text-align: center;
}
header, main { width: min(36rem, 100% - 2rem); margin-inline: auto; }
header {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 0.75rem;
  align-items: baseline;
  padding: 1.75rem 0 0.75rem;
}
header a { color: inherit; font-weight: 650; text-decoration: none; overflow-wrap: anywhere; }
.role { color: var(--quiet); font-size: 0.875rem; }
main {
  margin-bottom: 3rem;
  padding: 1.5rem clamp(1rem, 5vw, 2rem) 1.75rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
}
main > :first-child { margin-top: 0; }
main > :last-child { margin-bottom: 0; }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance; }
h2, h3 { margin: 0 0 0.5rem; font-size: 1.0625rem; line-height: 1.35; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
a { color: var(--accent); }
ul { margin: 0; padding-left: 1.25rem; }
code { font: 0.9375em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { margin: 0 0 1rem; padding: 0.625rem 0.875rem; background: var(--ground); border: 1px solid var(--line); border-radius: 0.5rem; font-size: 0.875rem; white-space: pre-wrap; }
.section { margin-top: 1.75rem; }
.plain { padding-left: 0; list-style: none; }
.plain li { margin-bottom: 0.625rem; }
.caption { margin-bottom: 0.25rem; }
dl {
  display: grid;
  grid-template-columns: minmax(7rem, max-content) 1fr;
  gap: 0.5rem 1.25rem;
  margin: 0 0 1.25rem;
  padding: 1rem 0;
  border-block: 1px solid var(--line);
}
dt { color: var(--quiet); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
dd ul { padding-left: 0; list-style: none; }
.user-code { font: 600 1.75rem/1.3 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: 0.06em; }
.shown-code { margin: 1.25rem 0; padding: 1.25rem 0.75rem; background: var(--ground); border: 1px solid var(--line); border-radius: 0.5rem; text-align: center; }
.shown-code .user-code { font-size: clamp(1.75rem, 9vw, 2.75rem); white-space: nowrap; }
label { display: block; margin-bottom: 0.375rem; font-weight: 600; }
input:not([type="hidden"]) {
  display: block;
  width: 100%;
  padding: 0.625rem 0.75rem;
  color: inherit;
  background: var(--card);
  border: 1px solid var(--quiet);
  border-radius: 0.5rem;
  font: inherit;
}
input[name="user_code"] { font-size: 1.25rem; letter-spacing: 0.08em; font-variant-numeric: tabular-nums; }
input::placeholder { color: var(--quiet); opacity: 0.75; }
input[aria-invalid="true"] { border-color: var(--danger); border-width: 2px; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.25rem 0 0; }
button {
  min-height: 2.75rem;
  padding: 0.5rem 1.25rem;
  color: var(--accent-text);
  background: var(--accent);
  border: 1px solid var(--accent);
  border-radius: 0.5rem;
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
button.secondary { color: var(--text); background: transparent; border-color: var(--quiet); }
button.danger { color: var(--danger); background: transparent; border-color: var(--danger); }
button:hover { filter: brightness(1.08); }
button.secondary:hover, button.danger:hover { background: var(--ground); filter: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.notice, .problem { padding: 0.625rem 0.875rem; border-left: 4px solid var(--notice-line); background: var(--notice); border-radius: 0.25rem; }
.problem { margin-top: 0.75rem; border-left-color: var(--danger); background: var(--problem); }
.card { margin: 0 0 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: 0.5rem; }
.card dl { margin-bottom: 0; padding: 0.75rem 0 0; border-bottom: 0; }
.own-words { padding: 0.0625rem 0.375rem; background: var(--ground); border: 1px solid var(--line); border-radius: 0.25rem; overflow-wrap: anywhere; }
.fine { color: var(--quiet); font-size: 0.875rem; }
@media (max-width: 30rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dt { font-size: 0.875rem; }
  dd { margin-bottom: 0.625rem; }
  .actions button { flex: 1 1 8rem; }
}
@media (forced-colors: active) {
  button { border: 2px solid ButtonText; }
}
`;
