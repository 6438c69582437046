export { html, raw, type View } from './html.ts';
export { instantView } from './instant-view.ts';
export { page } from './page.ts';
export { pageEnvelope } from './page-envelope.ts';
export { signInView } from './sign-in-view.ts';
export type { Site } from './site.ts';
export { STYLE_PATH } from './style.ts';
export { styleRoute } from './style-route.ts';
