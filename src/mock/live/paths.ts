/** Below it lies all that the live view has beside its page, `/`. */
export const LIVE_ROOT = '/__live';

/** `POST` with the control token: answers `{ url }`, a new link to the view. */
export const LIVE_CONTROL = '/__mock/live';

/** The paths of the live view. */
export const LIVE_PATHS = {
  /** The page that, with `ticket` in the query, trades the ticket for the session, and leads to `/`. */
  open: LIVE_ROOT,
  script: `${LIVE_ROOT}/app.js`,
  style: `${LIVE_ROOT}/app.css`,
  /** Server-sent events. */
  events: `${LIVE_ROOT}/events`,
  /** Below it each button has its path: `POST` of JSON, with the token of the page in `x-csrf-token`. */
  actions: `${LIVE_ROOT}/actions`,
} as const;
