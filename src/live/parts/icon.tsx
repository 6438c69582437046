/** Strokes on a ground of 16 by 16. */
const SHAPES = {
  done: 'm3.5 8.5 3 3 6-7',
  elsewhere: 'M3 11V8.5A2.5 2.5 0 0 1 5.5 6H12M9.5 3 12.5 6l-3 3',
  waits: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  refused: 'M8 3.5v5.5M8 12.2v.1',
  failed: 'm4 4 8 8M12 4l-8 8',
  close: 'm4 4 8 8M12 4l-8 8',
  out: 'M6 3.5H3.5v9h9V10M9 3.5h3.5V7M12.5 3.5 7.5 8.5',
  copy: 'M6 5.5h6.5v8H6zM3.5 10.5v-8H10',
  behind: 'm6 3 5 5-5 5',
  unclaimed: 'M8 3a5 5 0 1 0 .01 0',
  pending: 'M8 3a5 5 0 1 0 .01 0M8 5.5V8l1.5 1.5',
  lapsed: 'M4.5 3h7M4.5 13h7M5 3c0 3 6 7 6 10M11 3c0 3-6 7-6 10',
  claimed: 'm3.5 8.5 3 3 6-7',
  expired: 'M8 3a5 5 0 1 0 .01 0M5.5 8h5',
  revoked: 'M8 3a5 5 0 1 0 .01 0M4.5 11.5l7-7',
} as const;

/** A picture beside words that say the same: nothing for a screen reader. */
export function Icon({ name }: { readonly name: keyof typeof SHAPES }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} />
    </svg>
  );
}
