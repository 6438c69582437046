export {
  isName,
  isOfRegistration,
  kindOf,
  namesIn,
  partsOf,
  replaceNames,
  type TemplatePart,
  textsIn,
} from './names.ts';
export { MAX_TRANSCRIPT, readTranscript } from './read-transcript.ts';
export { isPage, type RecordedExchange, readRecording } from './recording.ts';
export { TranscriptError } from './transcript-error.ts';
