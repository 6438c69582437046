/** Words on buttons and labels. Only the drivers go by them; no check does. */

/** Words on the label of the field for the code. */
export const CODE_WORDS = /code|otp|\bpin\b/i;

/** Words on a button that denies. */
export const DENY_WORDS = /\b(deny|decline|reject|refuse|disapprove)\b/i;

/** Words on a button that approves. */
export const APPROVE_WORDS = /\b(approve|allow|consent|authori[sz]e|grant|accept|agree)\b/i;

/** Words on a button that leaves the flow. */
export const LEAVE_WORDS =
  /\b(log|sign)[\s-]?(out|off)\b|\b(cancel|back|end|delete|remove|revoke|disconnect|another|other|different|switch|no|not)\b/i;
