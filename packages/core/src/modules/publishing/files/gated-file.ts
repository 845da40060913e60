import type { ResourceSource } from '../../../framework/module/resource-source.ts'
import type { Role } from '../../../model/permission.ts'
import { fieldResource } from '../../../model/profile-fields.ts'
import { resourceName } from '../../../model/resource-name.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { type AskedResource, described, NO_CREDENTIALS, type Paywall } from '../../access/paywall/index.ts'
import { fileNotFound } from './errors.ts'
import type { FileService, FoundFile } from './service.ts'

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

const NAME = /^files\.f(\d{1,15})$/
const PATH = /^\/files\/(\d{1,15})$/

/**
 * The files of profiles as resources of their gates.
 *
 * @throws `file_not_found` for what does not exist or only the team may see
 */
export const fileResources = (
  files: Pick<FileService, 'find'>,
  paywall: Pick<Paywall, 'openTo'>,
): readonly ResourceSource[] => [
  {
    prefix: 'files',
    nameOf(path) {
      const id = PATH.exec(path)?.[1]
      return id && `files.f${id}`
    },
    async describe(name, { profile, caller, linkKey }) {
      const id = NAME.exec(name)?.[1]
      if (id === undefined) return undefined
      const found = await files.find(Number(id), caller, linkKey)
      if (found.profile.id !== profile.id) throw fileNotFound()
      return described(gatedFile(found, undefined, paywall))
    },
  },
]
