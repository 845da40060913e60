import type { PageLanguage } from '../../../../model/messages.ts'
import { fileScreenMessages } from '../messages.ts'

type Key = Parameters<ReturnType<typeof fileScreenMessages>>[0]

/** The sentences about refused uploads and changes, by error code. */
const PROBLEMS = {
  validation_failed: 'chooseFirst',
  file_type_mismatch: 'typeMismatch',
  file_too_large: 'tooLarge',
  batch_too_large: 'tooLarge',
  file_quota_reached: 'quotaFull',
  file_infected: 'infected',
  scanner_unavailable: 'scannerDown',
  image_broken: 'broken',
  image_too_large: 'pictureTooLarge',
  location_not_removable: 'location',
  file_kind_differs: 'kindDiffers',
  file_changed: 'changed',
  file_not_found: 'gone',
  upload_target_unavailable: 'profileGone',
  storage_error: 'storageDown',
  upload_stalled: 'stalled',
  incomplete_upload: 'cut',
} as const satisfies Readonly<Record<string, Key>>

/** Returns the text of a screen of files about an error; undefined for those that all screens know. */
export function problemText({ code }: { readonly code: string }, page: PageLanguage): string | undefined {
  if (code === 'validation_failed' || !Object.hasOwn(PROBLEMS, code)) return undefined
  return fileScreenMessages(page)(PROBLEMS[code as keyof typeof PROBLEMS])
}

/** Returns the sentences about refused uploads by error code, for scripts. */
export const uploadProblems = (page: PageLanguage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(PROBLEMS).map(([code, key]) => [code, fileScreenMessages(page)(key)]))
