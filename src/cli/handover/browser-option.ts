import { Option } from 'commander';
import { BROWSER_MODES } from '../terminal/browser.ts';

export function browserOption(): Option {
  return new Option('--browser <mode>', 'when to open the browser automatically')
    .choices([...BROWSER_MODES])
    .default('auto');
}
