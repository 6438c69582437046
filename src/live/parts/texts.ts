import { describeDuration } from '../../protocol/durations.ts';

/**
 * What would not be seen, or would turn the direction of what follows: controls, marks and overrides of
 * direction, characters without width, invisible tags. Joiners are left, which scripts need.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu;

/** A stranger's text as text: what cannot be seen is written out, as `\u{202e}`. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (unseen) => `\\u{${unseen.codePointAt(0)?.toString(16)}}`);
}

/** The same in one line: as long as needed, and no longer. */
export function visibleLine(text: string, most: number): string {
  const line = visibleText(text.slice(0, most * 2).replace(/\s+/g, ' ')).trim();
  const letters = [...line];
  return letters.length > most || text.length > most * 2
    ? `${letters.slice(0, most).join('')}…`
    : line;
}

/** The beginning of an id, as `reg_aHkE8n…`: it tells one registration from another. A short one as it is. */
export function shortId(id: string): string {
  return id.length > 12 ? `${id.slice(0, 10)}…` : id;
}

/** What is left until then, both in milliseconds: `9:58`, `1:02:07`, `2 d 3 h`; undefined once it is over. */
export function countdown(until: number, now: number): string | undefined {
  const seconds = Math.ceil((until - now) / 1_000);
  if (!(seconds > 0)) return undefined;
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600)];
  if (days > 1) return `${days} d ${hours % 24} h`;
  const two = (value: number) => String(value % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** How far a mock's clock is from the machine's: `+11 minutes`; undefined where it is not. */
export function describeOffset(ms: number): string | undefined {
  const off = Math.round(Math.abs(ms) / 1_000) * 1_000;
  return off === 0 ? undefined : `${ms < 0 ? '−' : '+'}${describeDuration(off)}`;
}

/** `09:30:05`, in UTC, of RFC 3339. */
export function timeOfDay(at: string): string {
  return /T(\d\d:\d\d:\d\d)/.exec(at)?.[1] ?? '';
}

/** A page to open, absolute; undefined for what no browser should be led to. */
export function pageUrl(page: string, origin: string): string | undefined {
  try {
    const url = new URL(page, origin);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** A name of the wire or of the audit trail as words: `claim.code_wrong` as `claim code wrong`. */
export function asWords(name: string): string {
  return name.replaceAll(/[._]/g, ' ');
}

/** Whether each of the words is in a text, in letters of any size. */
export function hasWords(text: string, words: string): boolean {
  const searched = text.toLowerCase();
  const all = words.toLowerCase().split(/\s+/);
  return all.every((word) => searched.includes(word));
}
