import { createHmac } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that an authenticator app shows (RFC 6238), written again so that the service is not tested by itself. */
export function appCode(secret: string, at: Date): string {
  let bits = ''
  for (const letter of secret) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(Math.floor(at.getTime() / 30_000), 4)
  const mac = createHmac('sha1', key).update(counter).digest()
  const from = (mac[19] ?? 0) & 15
  return String((mac.readUInt32BE(from) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
