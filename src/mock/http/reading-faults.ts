/** What a mock can be told to do wrong when it reads a request, whatever its endpoints do. */
export const READING_FAULTS = {
  anyMediaType: 'reads a body whatever media type it has (RFC 9110 §15.5.16)',
  jsonFormsTaken: 'takes JSON where a form is asked for (RFC 6749 §3.2)',
  mediaTypeParametersRefused: 'knows a media type only without parameters (RFC 9110 §8.3.1)',
  malformedBreaks: 'breaks on a body that is not JSON',
  deepBreaks: 'breaks on JSON that is nested deeply (attack A-37)',
  duplicatesTaken: 'takes the last of two members of one name (attack A-37)',
  protoFollowed: 'takes members from a prototype that a body brings along (attack A-37)',
  unstorableTaken: 'takes text with U+0000 or an unpaired surrogate',
  anyLength: 'reads bodies of any length (attack A-36)',
  compressedTaken: 'unpacks bodies without a limit (attack A-36)',
  emptyValuesKept: 'takes a parameter without a value for one with a value (RFC 6749 §3.2)',
  repeatedParameterTaken: 'takes the last of two parameters of one name (RFC 6749 §3.2)',
} as const satisfies Readonly<Record<string, string>>;

export interface ReadingFaults {
  has(name: keyof typeof READING_FAULTS): boolean;
}

const faultsOf = new WeakMap<Request, ReadingFaults>();

/** Notes what is to go wrong when a request is read; the application does it, before any handler runs. */
export function recordReadingFaults(request: Request, faults: ReadingFaults): void {
  faultsOf.set(request, faults);
}

export function hasReadingFault(request: Request, name: keyof typeof READING_FAULTS): boolean {
  return faultsOf.get(request)?.has(name) ?? false;
}
