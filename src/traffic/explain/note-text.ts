import { displayText } from '../../protocol/index.ts';
import { type ExchangeNote, REDEMPTION_REFUSED } from '../exchange.ts';

/** What a mock says of an exchange, on one line and safe to show. */
export function noteText({ event, fields }: ExchangeNote): string {
  const { check, claim, expected, seen } = fields;
  if (event !== REDEMPTION_REFUSED) {
    const named = Object.entries(fields).map(([name, value]) => `${name} ${String(value)}`);
    return displayText(`${event}: ${named.join(', ')}`, 300);
  }
  const what = claim === undefined ? String(check) : `${claim} is ${seen ?? 'missing'}`;
  return (
    displayText(what, 200) + (expected ? `; expected: ${displayText(String(expected), 300)}` : '')
  );
}
