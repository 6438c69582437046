import { DIGIT_RULES } from './countdown-view.ts';
import { CONTROLS } from './style-controls.ts';
import { GROUND, PALETTE } from './style-ground.ts';
import { PARTS } from './style-parts.ts';

export const STYLE_PATH = '/style.css';

/** The one style sheet of all pages; the content security policy allows no other style. */
export const STYLE = [PALETTE, GROUND, CONTROLS, PARTS]
  .map((part) => part.replace(/\s*\n\s*/g, ''))
  .concat(DIGIT_RULES)
  .join('\n');
