import { sign } from 'node:crypto';
import type { TestKey } from '../../jwt/forge.ts';

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const UTC_TIME = 0x17;
const UTF8_STRING = 0x0c;
const SET = 0x31;
/** 1.2.840.10045.4.3.2, ecdsa-with-SHA256. */
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
/** 2.5.4.3, the common name. */
const COMMON_NAME = Buffer.from('0603550403', 'hex');

/** A certificate that an ES256 key signs for itself, in DER: enough for a server that trusts headers. */
export function selfSigned(key: TestKey, commonName: string): Buffer {
  const algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from(commonName)))),
  );
  const validity = der(
    SEQUENCE,
    der(UTC_TIME, Buffer.from('200101000000Z')),
    der(UTC_TIME, Buffer.from('491231235959Z')),
  );
  const body = der(
    SEQUENCE,
    der(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    key.publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', body, key.privateKey);
  return der(SEQUENCE, body, algorithm, der(BIT_STRING, Buffer.from([0]), signature));
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
