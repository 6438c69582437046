import type { LiveMail } from '../../mock/live/model.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Line, LongText } from '../parts/text.tsx';
import { timeOfDay } from '../parts/texts.ts';

interface MailsProps {
  readonly mails: readonly LiveMail[];
}

/** What the service would have mailed, as text. Mails of others, behind a proxy, are not seen. */
export function Mails({ mails }: MailsProps) {
  if (mails.length === 0) {
    return (
      <div class="nothing">
        <p>No mail has been sent yet. Nothing leaves this machine: mails end here.</p>
      </div>
    );
  }
  return (
    <ol class="mails">
      {mails.map((mail, index) => (
        <MailView key={`${mails.length - index} ${mail.at}`} mail={mail} isOpen={index === 0} />
      ))}
    </ol>
  );
}

function MailView({ isOpen, mail }: { readonly mail: LiveMail; readonly isOpen: boolean }) {
  const { at, subject, text, to } = mail;
  return (
    <li>
      <details open={isOpen}>
        <summary>
          <span class="subject cut">
            <Line text={subject} />
          </span>
          <span class="fine cut">
            {timeOfDay(at)} to <Line text={to} />
          </span>
        </summary>
        <div class="code mail-text">
          <LongText text={text} most={2_000} />
        </div>
        <CopyButton label="Copy the text" text={text} />
      </details>
    </li>
  );
}
