/** The colours of all pages, by light and by dark. A rule has no line break but between its parts. */
export const PALETTE = `:root {
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

/** The page itself. */
export const GROUND = `.provider { --accent: var(--name); }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.55 var(--sans);
  overflow-wrap: anywhere;
}
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
.aside { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
