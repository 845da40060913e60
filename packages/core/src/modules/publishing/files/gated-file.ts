import type { Role } from '../../../model/permission.ts'
import { fieldResource } from '../../../model/profile-fields.ts'
import { resourceName } from '../../../model/resource-name.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { type AskedResource, NO_CREDENTIALS, type Paywall } from '../../access/paywall/index.ts'
import type { FoundFile } from './service.ts'

const LIST = fieldResource('files')

/** Whether everyone may read the list of files of a profile. False while the gate cannot be read. */
const isListOpen = (paywall: Pick<Paywall, 'openTo'>, profile: Profile): Promise<boolean> =>
  paywall.openTo(profile, [LIST], NO_CREDENTIALS).then(
    (open) => open.has(LIST),
    () => false,
  )

/**
 * Returns a file as a resource of its gate, for any part or format of it. A refusal contains its description: the filename, or
 * only the id when the profile gates its list of files, because file ids can be guessed. Its path contains the key that the file of an
 * unlisted profile needs, so that buyers can return to it.
 */
export const gatedFile = (
  { file, profile, linkKey }: FoundFile,
  role: Role | undefined,
  paywall: Pick<Paywall, 'openTo'>,
): AskedResource => ({
  profile,
  name: resourceName('files', [`f${file.id}`]),
  path: linkKey === undefined ? `/files/${file.id}` : `/files/${file.id}?key=${linkKey}`,
  linkKey,
  description: async () => ((await isListOpen(paywall, profile)) ? file.filename : `File ${file.id}`),
  preview: null,
  role,
})
