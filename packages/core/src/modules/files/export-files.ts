import { allPages } from '../../kernel/all-pages.ts'
import { type ExportMember, jsonListMember, type ProfileExporter } from '../../module/export-member.ts'
import type { StoredFile } from '../../ports/storage/files.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import type { FileService } from './service.ts'

/** The list of files. */
export const FILES_PATH = 'files.json'

/** The path of the bytes of a file in an archive. Names are not unique, so they are in a folder with the id. */
const exportedPath = ({ id, filename }: Pick<StoredFile, 'id' | 'filename'>): string =>
  `files/${id}/${filename.replaceAll(/[/\\]/g, '_')}`

/** The files of a profile: `files.json`, and the bytes of each below `files/`. */
export function createFileExporter(read: Readers<'files'>, files: FileService): ProfileExporter {
  return async function* ({ profile }) {
    const list = () => allPages((request) => read.files.listOfProfile(profile.id, request))
    yield jsonListMember(FILES_PATH, async function* () {
      for await (const file of list()) {
        yield {
          id: file.id,
          path: exportedPath(file),
          filename: file.filename,
          content_type: file.contentType,
          size: file.size,
          sha256: file.sha256,
          created_at: file.createdAt.toISOString(),
        }
      }
    })
    if (!files.isEnabled) return
    for await (const file of list()) yield bytesOf(file, files)
  }
}

const bytesOf = (file: StoredFile, files: FileService): ExportMember => ({
  path: exportedPath(file),
  kind: 'bytes',
  modifiedAt: file.createdAt,
  async *open() {
    yield* (await files.open(file)).body
  },
})
