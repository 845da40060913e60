import { allPages } from '../../kernel/all-pages.ts'
import { type ExportMember, jsonMember, type ProfileExporter } from '../../module/export-member.ts'
import type { BlobContent } from '../../ports/blob-store.ts'
import type { StoredFile } from '../../ports/storage/files.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import type { FileService } from './service.ts'

/** The list of files. */
export const FILES_PATH = 'files.json'

/** The path of the bytes of a file in an archive. Names are not unique, so they are in a folder with the id. */
const exportedPath = ({ id, filename }: Pick<StoredFile, 'id' | 'filename'>): string =>
  `files/${id}/${filename.replaceAll(/[/\\]/g, '_')}`

/**
 * The files of a profile: the bytes of each below `files/`, then `files.json` with those that were written. Files that are
 * deleted meanwhile are left out.
 */
export function createFileExporter(read: Readers<'files'>, files: FileService): ProfileExporter {
  /** The bytes of a file; undefined when it was deleted after it was listed. */
  async function bytesOf(file: StoredFile): Promise<BlobContent | undefined> {
    try {
      return await files.open(file)
    } catch (error) {
      if (await read.files.get(file.id)) throw error
      return undefined
    }
  }

  return async function* ({ profile }) {
    const written: StoredFile[] = []
    for await (const file of allPages((request) => read.files.listOfProfile(profile.id, request))) {
      if (files.isEnabled) {
        const content = await bytesOf(file)
        if (!content) continue
        yield memberOf(file, content)
        // An export without bytes does not read it.
        content.body.destroy()
      }
      written.push(file)
    }
    yield jsonMember(FILES_PATH, written.map(serialize))
  }
}

const memberOf = (file: StoredFile, { body }: BlobContent): ExportMember => ({
  path: exportedPath(file),
  kind: 'bytes',
  modifiedAt: file.createdAt,
  async *open() {
    yield* body
  },
})

const serialize = (file: StoredFile) => ({
  id: file.id,
  path: exportedPath(file),
  filename: file.filename,
  content_type: file.contentType,
  size: file.size,
  sha256: file.sha256,
  created_at: file.createdAt.toISOString(),
})
