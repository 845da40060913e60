import type { Role } from '../../model/permission.ts'
import { resourceName } from '../../model/resource-name.ts'
import type { FoundFile } from './service.ts'

/** A file as a resource of its gate, for any part or format of it. */
export const gatedFile = ({ file, profile }: FoundFile, role: Role | undefined) => ({
  profile,
  name: resourceName('files', [`f${file.id}`]),
  path: `/files/${file.id}`,
  description: file.filename,
  preview: null,
  role,
})
