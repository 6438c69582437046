/**
 * The script of the report page: shows the entries of the chosen status whose text has the typed words. It reads what
 * is on the page and sets attributes alone, so that no text of the judged peer becomes anything else. Without it
 * everything is shown.
 */
export const SCRIPT = `
(() => {
const form = document.querySelector('.filter');
const text = form.querySelector('input[type=search]');
const boxes = [...form.querySelectorAll('input[type=checkbox]')];
const entries = [...document.querySelectorAll('[data-status]')].map((element) => ({
  element, status: element.dataset.status, words: element.textContent.toLowerCase()
}));
const groups = [...document.querySelectorAll('[data-group]')].map((element) => ({ element, open: element.open }));
const count = form.querySelector('output');
const apply = () => {
  const words = text.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
  const chosen = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  const isAll = words.length === 0 && chosen.size === 0;
  let shown = 0;
  for (const { element, status, words: own } of entries) {
    const fits = (chosen.size === 0 || chosen.has(status)) && words.every((word) => own.includes(word));
    element.hidden = !fits;
    if (fits && element.classList.contains('check')) shown += 1;
  }
  for (const { element, open } of groups) {
    element.hidden = element.querySelector('[data-status]:not([hidden])') === null;
    if ('open' in element) element.open = isAll ? open : !element.hidden && shown <= 200;
  }
  count.textContent = isAll ? '' : shown + (shown === 1 ? ' check' : ' checks');
};
form.hidden = false;
form.addEventListener('input', apply);
form.addEventListener('submit', (event) => event.preventDefault());
const reveal = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let each = target; each; each = each.parentElement) if (each.tagName === 'DETAILS') each.open = true;
  if (target) target.scrollIntoView();
};
addEventListener('hashchange', reveal);
reveal();
apply();
})();
`;

/** The style of the report page: system fonts, and colours that follow the reader's choice of light or dark. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#fbfbfa;--card:#fff;--text:#1c1e21;--soft:#646a73;--line:#e3e4e6;--code:#f3f4f5;
--pass:#1a7f4b;--fail:#c0282d;--warn:#9a6700;--skip:#7b818a;--accent:#2c5bd1;--tint:#fdeeee}
@media(prefers-color-scheme:dark){:root{--bg:#15171a;--card:#1c1f23;--text:#e6e7e9;--soft:#9aa1ab;--line:#30343a;--code:#24282d;
--pass:#4cc38a;--fail:#ff7a76;--warn:#e0b040;--skip:#8b929c;--accent:#86a9ff;--tint:#352224}}
*{box-sizing:border-box;scroll-margin-top:4.5rem}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,sans-serif}
main{max-width:68rem;margin:0 auto;padding:2rem 1.25rem 5rem}
h1{font-size:1.55rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.05rem;margin:2.25rem 0 .75rem}
code,pre{font:.86em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
p{margin:.25rem 0}
.soft{color:var(--soft)}
.verdict{display:inline-block;margin-right:.5rem;padding:.05rem .6rem;border:1px solid currentColor;border-radius:99px;font-weight:650}
.pass{color:var(--pass)}.fail,.untestable{color:var(--fail)}.warn{color:var(--warn)}.skip{color:var(--skip)}.zero{color:var(--soft);opacity:.5}
table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .9rem .3rem 0;text-align:right;border-bottom:1px solid var(--line)}
th:first-child,td:first-child{text-align:left}
th{font-weight:500;color:var(--soft)}
details{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:.5rem 0}
details>summary{cursor:pointer;padding:.65rem .9rem;display:flex;gap:.6rem;align-items:baseline;list-style:none}
summary::-webkit-details-marker{display:none}
summary .count{margin-left:auto;color:var(--soft);font-variant-numeric:tabular-nums;white-space:nowrap}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:-2px;border-radius:10px}
.body{padding:0 .9rem .9rem}
.check{padding:.5rem 0;border-top:1px solid var(--line)}
.check>p{padding-left:1.4rem;overflow-wrap:anywhere}
.check .title{padding-left:0;display:flex;gap:.6rem}
.mark{width:.8rem;flex:none;text-align:center;font-weight:700}
.finding{display:grid;grid-template-columns:max-content 1fr;gap:.2rem .9rem;align-items:baseline;margin:.4rem 0 .4rem 1.4rem;padding:.5rem .75rem;background:var(--code);border-radius:8px;overflow-wrap:anywhere}
.finding dt{color:var(--soft);font-size:.86em}
.finding dd{margin:0;min-width:0}
.diagram{overflow-x:auto;margin:.75rem 0;padding:.25rem 0}
svg text{font:12px system-ui,sans-serif;fill:var(--text);text-anchor:middle}
svg .name{font-weight:600}svg .label{font-size:11px}svg .number{font-size:11px;fill:var(--soft)}svg .status{font-size:10px;font-weight:600;fill:#fff}
svg .life{stroke:var(--line)}svg .who{fill:var(--code);stroke:var(--line)}
svg .arrow{stroke:var(--soft)}svg .head{fill:var(--soft)}svg .hit{fill:transparent}
svg .marked .hit{fill:var(--tint)}svg a:hover .hit,svg a:focus .hit{fill:var(--code)}
svg .badge{fill:#6b7280}svg .badge.s2{fill:#1a7f4b}svg .badge.s3{fill:#2c5bd1}svg .badge.s5,svg .badge.none{fill:#c0282d}
.exchange{margin:.35rem 0;border-radius:8px}
.exchange>summary{padding:.4rem .75rem;overflow-wrap:anywhere}
.filter{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:.4rem .9rem;align-items:center;margin:1.25rem 0 0;padding:.6rem 0;background:var(--bg);border-bottom:1px solid var(--line)}
.filter[hidden]{display:none}
.filter input[type=search]{flex:1 1 12rem;min-width:0;padding:.4rem .7rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px}
.filter label{display:flex;gap:.3rem;align-items:center;cursor:pointer;white-space:nowrap}
.cause>.finding{margin:0 .9rem .9rem}
.cause .count{white-space:normal;overflow-wrap:anywhere;text-align:right;font-size:.86em}
pre:target{outline:2px solid var(--accent)}
pre{margin:0;padding:.6rem .75rem;background:var(--code);border-radius:8px;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.finding pre{padding:0;background:none}
.ids{background:none;border:0;margin:0}.ids>summary{padding:0;display:list-item;list-style:revert}
a{color:var(--accent)}
@media(max-width:30rem){main{padding:1.25rem .75rem 3rem}th,td{padding-right:.5rem;font-size:.85rem}.finding{grid-template-columns:1fr;gap:0;margin-left:0}.finding dd{margin-bottom:.4rem}.check>p{padding-left:0}.cause>summary{flex-wrap:wrap}.cause .count{flex-basis:100%;margin-left:1.4rem;text-align:left}.filter{position:static}}
`;
