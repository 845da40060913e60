import { pathBelow } from '../../../kernel/public-url.ts'
import type { LinkKeys } from '../../profiles/profiles/index.ts'

const FILE_LINK =
  /(?<=^|[\s(<"'])((?:https?:\/\/[^\s()<>"'/]+)?\/(?:files|media)\/(\d{1,15})(?:\/markdown)?)(?=$|[\s)>"'#])/gm

/** Adds keys to the links in a text that lead to files of an unlisted profile, so that its readers can follow them. */
export const withFileKeys = (
  text: string,
  profileId: number,
  { publicUrl, linkKeys }: { readonly publicUrl: string; readonly linkKeys: LinkKeys },
): string =>
  text.replaceAll(FILE_LINK, (address: string, _path: string, id: string) =>
    address.startsWith('/') || pathBelow(publicUrl, address) !== undefined
      ? `${address}?key=${linkKeys.keyOf('file', profileId, Number(id))}`
      : address,
  )
