/** The addresses of the exported profile. */
export interface OldAddresses {
  /** The public URL of the service that exported it. */
  readonly issuer: string
  readonly did: string
}

/** The addresses of the imported profile. */
export interface NewAddresses {
  readonly publicUrl: string
  readonly did: string
  readonly url: string
}

const FILE_LINK =
  /(?<=^|[\s(<"'])((?:https?:\/\/[^\s()<>"'/]+)?)\/(files|media)\/(\d{1,15})(?=$|[\s)>"'#/?]|[.,;:!]+(?=$|[\s)<"']))/gm

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Returns a function that replaces the addresses of a profile in its texts: the URLs of its files and pages, and its DID.
 * Other addresses are kept, including those of other profiles of the exporting service.
 *
 * @param fileIds - the new ids of its files, which may be added later
 */
export function createRewriter(
  { issuer, did }: OldAddresses,
  to: NewAddresses,
  fileIds: ReadonlyMap<number, number>,
): (text: string) => string {
  const [prefix = '', username = ''] = did.split(':').slice(-2)
  const own = new RegExp(`${escaped(`${issuer}/${prefix}/${username}`)}(?![A-Za-z0-9-])`, 'g')
  const ownDid = new RegExp(`${escaped(did)}(?![A-Za-z0-9:-])`, 'g')

  return (text) =>
    text
      .replaceAll(FILE_LINK, (link: string, origin: string, folder: string, id: string) => {
        const newId = origin === '' || origin === issuer ? fileIds.get(Number(id)) : undefined
        if (newId === undefined) return link
        return `${origin === '' ? '' : to.publicUrl}/${folder}/${newId}`
      })
      .replaceAll(own, () => to.url)
      .replaceAll(ownDid, () => to.did)
}
