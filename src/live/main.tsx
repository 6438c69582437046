import { render } from 'preact';
import { App } from './app.tsx';

/** Of a line of the diagram, in the size of the page's letters; the style sheet has the same. */
const LINE = 3.75;

const place = document.getElementById('app');
if (place !== null) {
  place.replaceChildren();
  const letter = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  render(<App line={LINE * letter} />, place);
}
