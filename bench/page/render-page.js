import {
  againstSection,
  fileSection,
  mocksSection,
  postgresSection,
  settingsSection,
} from './mock-sections.js';
import { librarySection, millionSection, programSection, suiteSection } from './other-sections.js';
import { LEAD, METHOD, REPEAT } from './texts.js';

/** In the order of the page. @type {Record<string, (figures: any) => string[]>} */
const SECTIONS = {
  mocks: mocksSection,
  against: againstSection,
  file: fileSection,
  postgres: postgresSection,
  settings: settingsSection,
  million: millionSection,
  program: programSection,
  library: librarySection,
  suite: suiteSection,
};

/**
 * The page that says how fast all this is.
 * @param {import('../figures.js').Figures} figures a part that was not measured is named as missing
 * @returns {string} Markdown
 */
export function renderPage(figures) {
  const parts = Object.keys(SECTIONS);
  const missing = parts.filter((part) => figures[part] === undefined);
  return `${[
    '# Performance',
    'Written by `npm run bench -- --write`; not edited by hand.',
    LEAD,
    ...whereAndWhen(figures),
    '## How it is measured',
    METHOD,
    ...parts.flatMap((part) => {
      const found = figures[part];
      return found === undefined ? [] : (SECTIONS[part]?.(found) ?? []);
    }),
    ...(missing.length === 0 ? [] : [`Not measured for this page: ${missing.join(', ')}.`]),
    '## How to repeat it',
    REPEAT,
  ]
    .filter((block) => block !== '')
    .join('\n\n')}\n`;
}

/** The machines that the figures come from: one line, where they are one. @param {import('../figures.js').Figures} figures */
function whereAndWhen(figures) {
  /** @type {Map<string, string[]>} */
  const places = new Map();
  for (const [part, { date, machine }] of Object.entries(figures)) {
    const { cores, memory, node, processor, system } = machine;
    const day = date.slice(0, 10);
    const place = `Measured on ${day}: ${cores} cores of ${processor}, ${memory} GiB, ${system}, Node ${node}`;
    places.set(place, [...(places.get(place) ?? []), part]);
  }
  const pinning = new Set(Object.values(figures).map(({ machine }) => machine.cpus));
  const lines = [...places].map(([place, parts]) =>
    places.size === 1 ? `${place}.` : `${place} (${parts.join(', ')}).`,
  );
  const [pinned] = [...pinning].filter((text) => text.includes('core'));
  return pinned === undefined ? lines : [...lines, `Pinning: ${pinned}.`];
}
