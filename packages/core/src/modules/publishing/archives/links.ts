import { hmac, sameText } from '../../../kernel/digest.ts'
import type { Keyring } from '../../../kernel/keyring.ts'

/** The fields of the signed address of an export. */
export interface ExportAddress {
  readonly jobId: string
  /** The key of its bytes in the blob store. */
  readonly blob: string
  /** Unix seconds. */
  readonly expires: number
}

/** Signs the addresses of exports, so that they can be passed to a download tool without a session. */
export function createExportLinks(keyring: Pick<Keyring, 'shared'>, publicUrl: string) {
  const keys = () => keyring.shared('export-links')
  const signed = (key: Uint8Array, { jobId, blob, expires }: ExportAddress) => hmac(key, `${jobId} ${blob} ${expires}`)

  return {
    urlOf: (address: ExportAddress): string =>
      `${publicUrl}/export/${address.jobId}/${address.blob}?expires=${address.expires}&signature=${signed(keys()[0].key, address)}`,
    /** The blob that an address of this service names; undefined for anything else. */
    blobOf: (url: unknown): string | undefined =>
      typeof url === 'string' ? URL.parse(url)?.pathname.split('/').at(-1) : undefined,
    isValid: (address: ExportAddress, signature: string, now: Date): boolean =>
      address.expires * 1_000 > now.getTime() && keys().some(({ key }) => sameText(signed(key, address), signature)),
  }
}

export type ExportLinks = ReturnType<typeof createExportLinks>
