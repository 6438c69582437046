import { render } from 'preact';
import { App } from './app.tsx';
import { keepFocusNear } from './browser.ts';

const place = document.getElementById('app');
place?.replaceChildren();
if (place !== null) render(<App />, place);
keepFocusNear(document.body);
