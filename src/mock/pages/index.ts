export { askedOnceView } from './asked-once-view.ts';
export { assetRoutes, pageAssets } from './asset-routes.ts';
export { type CountdownView, countdownView } from './countdown-view.ts';
export { FAVICON_PATH } from './favicon.ts';
export { forBrowsers } from './for-browsers.ts';
export { html, raw, type View } from './html.ts';
export { icon } from './icons.ts';
export { clockTimeView, instantView } from './instant-view.ts';
export { misdirectedPage } from './misdirected-page.ts';
export { type OutcomeView, outcomeView } from './outcome-view.ts';
export { page } from './page.ts';
export { pageEnvelope } from './page-envelope.ts';
export { signInView } from './sign-in-view.ts';
export { type Site, START_PATH } from './site.ts';
export { startPage } from './start-page.ts';
export {
  getEndpoint,
  liveViewLine,
  postEndpoint,
  type StartEndpoint,
  type StartView,
} from './start-view.ts';
export { STYLE_PATH } from './style.ts';
