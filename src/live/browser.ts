/** What the view takes of its browser: time, timers and the network. */

/** The clock of the machine, in milliseconds; only differences mean something. */
export function ticks(): number {
  return performance.now();
}

/** @returns ends it. */
export function every(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms);
  return () => clearInterval(timer);
}

/** @returns calls it off. */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

/** The status that a `GET` would be answered with; undefined where nothing answers. */
export async function statusOf(path: string): Promise<number | undefined> {
  const answer = await fetch(path, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  return answer?.status;
}

/** `POST` of JSON with the token of the page; undefined where nothing answers. */
export async function post(
  path: string,
  body: unknown,
): Promise<{ readonly status: number; readonly body: unknown } | undefined> {
  const token = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? '';
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': token },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  return answer && { status: answer.status, body: await answer.json().catch(() => undefined) };
}

/** What can have the focus. */
const FOCUSABLE = 'button, input, select, summary, a[href], [tabindex]';

/** Where what has the focus goes away, what is near to where it was has it: it would be at the page's beginning. */
export function keepFocusNear(page: HTMLElement): void {
  let path: readonly HTMLElement[] = [];
  page.addEventListener('focusin', (event) => {
    path = event.composedPath().filter((each) => each instanceof HTMLElement);
  });
  const look = () => {
    if (document.activeElement !== document.body || path[0]?.isConnected) return;
    for (const place of path.filter(({ isConnected }) => isConnected)) {
      const near = place.matches(FOCUSABLE) ? place : place.querySelector<HTMLElement>(FOCUSABLE);
      if (near !== null) return near.focus({ preventScroll: true });
    }
  };
  new MutationObserver(look).observe(page, { childList: true, subtree: true });
}

/** The style sheet has the same. */
const NARROW = matchMedia('(max-width: 56rem)');

/** Whether there is room for one pane only. */
export function isNarrow(): boolean {
  return NARROW.matches;
}

/** @returns ends it. */
export function onNarrow(look: () => void): () => void {
  NARROW.addEventListener('change', look);
  return () => NARROW.removeEventListener('change', look);
}
