import { type ExportMember, jsonMember, type ProfileExporter } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import { portableName } from '../../../kernel/portable-names.ts'
import type { BlobContent } from '../../../ports/blob-store.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { FileService } from './service.ts'

/** The list of files. */
export const FILES_PATH = 'files.json'

const MAX_NAME_LENGTH = 80

/** The path of the bytes of a file in an archive, which Windows can unpack. Names are not unique, so they are in a folder with the id. */
function exportedPath({ id, filename }: Pick<StoredFile, 'id' | 'filename'>, maxLength: number): string {
  const folder = `files/${id}/`
  return `${folder}${portableName(filename, Math.min(MAX_NAME_LENGTH, maxLength - folder.length))}`
}

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

  return async function* ({ profile, maxPathLength }) {
    const written: StoredFile[] = []
    for await (const file of allPages((request) => read.files.listOfProfile(profile.id, request))) {
      if (files.isEnabled) {
        const content = await bytesOf(file)
        if (!content) continue
        yield memberOf(exportedPath(file, maxPathLength), file, content)
        // An export without bytes does not read it.
        content.body.destroy()
      }
      written.push(file)
    }
    yield jsonMember(
      FILES_PATH,
      written.map((file) => serialize(exportedPath(file, maxPathLength), file)),
    )
  }
}

const memberOf = (path: string, file: StoredFile, { body }: BlobContent): ExportMember => ({
  path,
  kind: 'bytes',
  modifiedAt: file.replacedAt ?? file.createdAt,
  async *open() {
    yield* body
  },
})

const serialize = (path: string, file: StoredFile) => ({
  id: file.id,
  path,
  filename: file.filename,
  alt: file.alt,
  content_type: file.contentType,
  size: file.size,
  sha256: file.sha256,
  created_at: file.createdAt.toISOString(),
})
