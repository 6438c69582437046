import type { LiveMail } from '../mock/live/model.ts';
import { CopyButton } from './parts/copy-button.tsx';
import { Icon } from './parts/icon.tsx';
import { Line, LongText } from './parts/text.tsx';
import { timeOfDay } from './parts/texts.ts';

/** What the service would have mailed, as text. Mails of others, behind a proxy, are not seen. */
export function Mails({ mails }: { readonly mails: readonly LiveMail[] }) {
  if (mails.length === 0) {
    return (
      <p class="nothing">No mail has been sent yet. Nothing leaves this machine: mails end here.</p>
    );
  }
  return (
    <ol class="folded">
      {mails.map(({ at, subject, text, to }, index) => (
        <li key={`${mails.length - index} ${at}`}>
          <details open={index === 0}>
            <summary>
              <span class="known-as">
                <span class="subject cut">
                  <Line text={subject} />
                </span>
                <span class="fine cut">
                  {timeOfDay(at)} to <Line text={to} />
                </span>
              </span>
              <Icon name="behind" />
            </summary>
            <div class="code">
              <LongText text={text} most={2_000} />
            </div>
            <CopyButton label="Copy the text" text={text} />
          </details>
        </li>
      ))}
    </ol>
  );
}
