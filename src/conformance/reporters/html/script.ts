/**
 * Of the report page: shows the entries of the chosen status whose text has the typed words. It reads what is
 * on the page and sets attributes alone, so that no text of the judged peer becomes anything else. Without it
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
