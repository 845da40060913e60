import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { createKeyedSemaphore } from '../../../kernel/semaphore.ts'
import {
  conversionFailed,
  type DocumentConverter,
  type DocumentText,
  unsupportedDocument,
} from '../../../ports/document-converter.ts'
import type { FileTextOutcome } from '../../../ports/storage/file-texts.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import type { Job } from '../../../ports/storage/jobs.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import type { JobService } from '../../jobs/index.ts'
import { extensionOf, type FileService, type FoundFile } from '../files/index.ts'
import { CONVERSION, conversionKind } from './conversion-job.ts'
import { conversionDisabled, conversionPending } from './errors.ts'
import { textExtracted } from './events.ts'
import { createPlainText } from './plain-text.ts'
import type { Conversion } from './schemas.ts'
import { createSharedWork } from './shared-work.ts'

export interface TextExtractionDeps extends GuardedStorage<'files' | 'fileTexts' | 'jobs'> {
  readonly clock: Clock
  readonly cache: ReadCache
  readonly files: FileService
  readonly jobs: JobService
  readonly publicUrl: string
  /** Undefined when text extraction is off. */
  readonly converter: DocumentConverter | undefined
  /** How long a request waits for a text that has to be read first. */
  readonly waitMs: number
}

/** A failed conversion is retried after this time, because a timeout may have been temporary. */
const REFUSALS_KEPT_MS = 3_600_000
/** Longer texts are read from the storage each time. */
const MAX_KEPT_CHARACTERS = 65_536
/** How many requests may wait for texts on this instance, and how many of them for files of one account. */
const MAX_UNDER_WAY = 50
const MAX_OF_ONE = 5
/** Warnings may contain text of the document, so their size is limited. */
const MAX_WARNINGS = 20
const MAX_WARNING = 300
const RETRY_MS = 5_000

/** A file, and the account that its conversion counts for in fair scheduling. */
export interface DocumentFile {
  readonly file: StoredFile
  readonly profile: Pick<FoundFile['profile'], 'ownerAccountId'>
}

/** The conversion parameters: the result depends on the type, and for archives on the name. */
const readingOf = ({ contentType, filename, encoding }: StoredFile, { version }: DocumentConverter) =>
  [version, contentType, extensionOf(filename), encoding].filter(Boolean).join(' ')

export function createTextExtractionService(deps: TextExtractionDeps) {
  const { read, write, clock, cache, files, jobs, converter, waitMs } = deps
  const work = createSharedWork<FileTextOutcome>()
  const conversions = createKeyedSemaphore()
  const plainText = createPlainText()
  const isEnabled = converter !== undefined && files.isEnabled

  /** @throws `conversion_disabled`, `unsupported_document` */
  function converterOf(file: StoredFile): DocumentConverter {
    if (!converter || !isEnabled) throw conversionDisabled()
    if (!converter.reads(file)) throw unsupportedDocument({ details: { content_type: file.contentType } })
    return converter
  }

  async function known(file: StoredFile, by: DocumentConverter): Promise<FileTextOutcome | undefined> {
    // Cached until the file changes or is deleted.
    return cache.get(`text:${file.id}:${readingOf(file, by)}:${file.sha256}`, async () => {
      const kept = await read.fileTexts.get(file.sha256, readingOf(file, by))
      const isText = kept !== undefined && 'markdown' in kept.outcome
      const isOver = !isText && kept !== undefined && clock().getTime() - kept.createdAt.getTime() > REFUSALS_KEPT_MS
      const isSmall =
        kept !== undefined && 'markdown' in kept.outcome && kept.outcome.markdown.length <= MAX_KEPT_CHARACTERS
      return { value: isOver ? undefined : kept?.outcome, profileId: isSmall ? file.profileId : undefined }
    })
  }

  async function convert(file: StoredFile, by: DocumentConverter, signal: AbortSignal): Promise<FileTextOutcome> {
    const { body } = await files.open(file)
    const outcome = await by.convert(file, body, { signal }).then(
      ({ markdown, warnings }): FileTextOutcome => ({
        markdown,
        warnings: warnings.slice(0, MAX_WARNINGS).map((warning) => warning.slice(0, MAX_WARNING).toWellFormed()),
      }),
      (error: unknown): FileTextOutcome => {
        if (!isEepError(error) || error.code !== conversionFailed.code) throw error
        const { reason = 'broken' } = (error.details ?? {}) as { readonly reason?: string }
        return { refusal: { reason, message: error.message } }
      },
    )
    const text = { sha256: file.sha256, converter: readingOf(file, by), outcome, createdAt: clock() }
    await write(async (tx, emit) => {
      for (const { id: fileId, profileId } of await tx.fileTexts.keep(text))
        emit(textExtracted, { fileId }, { profileId })
    })
    return outcome
  }

  /** The conversion result of the bytes of a file, converted now if necessary. */
  async function outcomeOf({ file, profile }: DocumentFile, signal?: AbortSignal): Promise<FileTextOutcome> {
    const by = converterOf(file)
    const kept = await known(file, by)
    if (kept) return kept
    const { ownerAccountId: owner } = profile
    // Jobs are few and are queued elsewhere.
    if (!signal && (work.count() >= MAX_UNDER_WAY || conversions.lengthOf(owner) >= MAX_OF_ONE)) throw pending()
    // Another conversion of the same bytes may have ended since they were looked up.
    const begin = (ending: AbortSignal) =>
      conversions.run(owner, ending, async () => (await known(file, by)) ?? convert(file, by, ending))
    return work.join(`${file.sha256} ${readingOf(file, by)}`, begin, signal)
  }

  const textExtraction = {
    isEnabled,

    /**
     * Whether files of this type have a text, checked before a payment is requested.
     *
     * @throws `conversion_disabled`, `unsupported_document`
     */
    assertReadable: (file: StoredFile): void => void converterOf(file),

    /**
     * The text of a file.
     *
     * @throws `conversion_failed`, `document_too_large`, `unsupported_document`, `conversion_disabled`, `storage_error`;
     * `conversion_pending` when too many are being read; the reason of the signal
     */
    async textOf(found: DocumentFile, signal?: AbortSignal): Promise<DocumentText> {
      const outcome = await outcomeOf(found, signal)
      if ('markdown' in outcome) return outcome
      const { reason, message } = outcome.refusal
      throw conversionFailed({ message, details: { reason } })
    },

    /**
     * The text of a file, for a request that waits for it.
     *
     * @throws also `conversion_pending` when it takes longer; the conversion continues, and a later request finds the
     * result
     */
    async textSoon(found: FoundFile): Promise<DocumentText> {
      const waiting = new AbortController()
      const tooLong = sleep(waitMs, undefined, { signal: waiting.signal, ref: false }).then(() => {
        throw pending()
      })
      try {
        return await Promise.race([textExtraction.textOf(found), tooLong])
      } finally {
        tooLong.catch(() => {})
        waiting.abort()
      }
    },

    /**
     * Returns the Markdown of a file as plain text.
     *
     * @throws `conversion_pending` when too many texts are pending
     */
    async plainTextOf({ profile }: DocumentFile, markdown: string): Promise<string> {
      const text = await plainText(markdown, profile.ownerAccountId)
      if (text === undefined) throw pending()
      return text
    },

    /**
     * Extracts the text of a file in the background.
     *
     * @throws `conversion_disabled`, `unsupported_document`, `too_many_jobs`, `jobs_disabled`
     */
    async request(file: StoredFile, to: Conversion, accountId: string): Promise<Job> {
      converterOf(file)
      await jobs.assertRoom(accountId)
      const { id, profileId } = file
      return jobs.request({ kind: CONVERSION, accountId, profileId, input: { file_id: id, to } })
    },

    /** Aborts running conversions. Jobs start again at the next start. */
    stop: () => work.stop(new Error('The service is shutting down')),
  }
  if (isEnabled && jobs.isEnabled) jobs.define(conversionKind({ ...deps, textOf: textExtraction.textOf }))
  return textExtraction
}

const pending = () => conversionPending({ retryAfterMs: RETRY_MS })

/** The texts of files. */
export type TextExtractionService = ReturnType<typeof createTextExtractionService>
