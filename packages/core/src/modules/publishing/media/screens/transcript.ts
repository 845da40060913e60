import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, screenForm, shownText, wrongWith } from '../../../../framework/module/screen-form.ts'
import { dataScript, type Html, html, proseHtml } from '../../../../http/html/html.ts'
import { lineHtml } from '../../../../http/html/inputs.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { dayText } from '../../../../model/day-text.ts'
import type { Job } from '../../../../ports/storage/jobs.ts'
import type { Transcript } from '../../../../ports/storage/media.ts'
import { tooManyJobs } from '../../../jobs/index.ts'
import { fileNotFound, filePath, UPLOADS_SCRIPT } from '../../files/index.ts'
import { mediaTooLong, transcriptionMinutesUsed, unsupportedMedia } from '../errors.ts'
import { transcriptScreenMessages } from '../messages.ts'
import { language } from '../schemas.ts'
import type { MediaService, TranscriptState } from '../service.ts'

/** The services of the screen of a transcript. */
export interface TranscriptScreen {
  readonly media: Pick<MediaService, 'find' | 'ingest' | 'stateOf'>
}

const PROBLEMS = new Map<string, 'gone' | 'minutesUsed' | 'tooLong' | 'tooMany' | 'unsupported'>([
  [fileNotFound.code, 'gone'],
  [mediaTooLong.code, 'tooLong'],
  [transcriptionMinutesUsed.code, 'minutesUsed'],
  [tooManyJobs.code, 'tooMany'],
  [unsupportedMedia.code, 'unsupported'],
])

const durationText = (site: ProfileVisit['site'], seconds: number) =>
  new Intl.NumberFormat(site.language, { style: 'unit', unit: 'minute', maximumFractionDigits: 1 }).format(seconds / 60)

/** Writes the progress of a job. The script follows it; without one the page is loaded again. */
function progressHtml({ site, path }: ProfileVisit, { id, status, progress }: Job): Html {
  const say = transcriptScreenMessages(site)
  const [url, done] = [hrefOn(site, `/jobs/${id}`), hrefOn(site, path)]
  return html`<section class="card"><p>${say(status === 'queued' ? 'queued' : 'running')}</p><p><progress data-job max="100" value="${progress}" aria-label="${say('progress')}"></progress></p><p class="acts"><a class="btn second" href="${done}">${say('look')}</a></p>${dataScript('job', { url, done })}</section>\n`
}

function madeHtml({ site }: ProfileVisit, { durationSeconds, language, text, createdAt }: Transcript): Html {
  const say = transcriptScreenMessages(site)
  const words = text.split(/\s+/).filter(Boolean).length
  return html`<section class="card"><dl class="facts">${language && html`<dt>${say('language')}</dt><dd><bdi>${language}</bdi></dd>`}<dt>${say('length')}</dt><dd>${durationText(site, durationSeconds)}</dd><dt>${say('words')}</dt><dd>${words.toLocaleString(site.language)}</dd><dt>${say('made')}</dt><dd>${dayText(site, createdAt)}</dd></dl>
<details><summary>${say('read')}</summary><div lang="${language ?? ''}" dir="auto">${proseHtml(text)}</div></details></section>\n`
}

function makeForm(visit: ProfileVisit, { transcript, minutes }: TranscriptState): Html | false {
  const { site } = visit
  const say = transcriptScreenMessages(site)
  const { used, reserved, limit, longest } = minutes
  const form = screenForm(
    visit,
    { actions: ['make'] },
    html`${lineHtml({ name: 'language', label: say('language'), hint: say('languageHint'), isExact: true, maxLength: 35, value: shownText(visit, 'language', transcript?.askedLanguage), problem: wrongWith(visit, 'language') })}<p class="soft">${say('minutes', { used: used + reserved, limit, longest })}</p><p class="acts">${actionButton(visit, 'make', say(transcript ? 'makeAgain' : 'make'), transcript && 'second')}</p>`,
  )
  return form && html`<section class="card">${form}</section>\n`
}

/** The screen with the transcript of a recording: its job with progress, and the finished text. */
export function transcriptScreen({ media }: TranscriptScreen): Screen {
  /** The recording of the path, which is of the profile. */
  async function read({ number, profile, caller }: ProfileVisit) {
    const found = await media.find(number('file'), caller)
    if (found.profile.id !== profile.id) throw fileNotFound()
    return found
  }

  return {
    name: 'fileTranscript',
    path: '/manage/profiles/:id/files/:file/transcript',
    section: 'profile',
    within: 'files',
    permission: 'files.list',
    errors: [fileNotFound, unsupportedMedia, mediaTooLong, transcriptionMinutesUsed, tooManyJobs],
    title: (page) => transcriptScreenMessages(page)('title'),
    said: (outcome, page) => (outcome === 'requested' ? transcriptScreenMessages(page)('didStart') : undefined),
    problem({ code }, page) {
      const key = PROBLEMS.get(code)
      return key && transcriptScreenMessages(page)(key)
    },
    wrong: (_input, page) => transcriptScreenMessages(page)('wrongLanguage'),
    post: {
      make: screenAction({
        permission: 'files.edit',
        schema: z.object({
          language: z
            .string()
            .trim()
            .transform((text) => (text === '' ? undefined : text))
            .pipe(language.optional()),
        }),
        async run(visit: ProfileVisit, { language: spoken }) {
          const { file } = await read(visit)
          await media.ingest({ fileId: file.id, language: spoken }, visit.caller)
          return { to: visit.path, said: 'requested' }
        },
      }),
    },
    async get(visit) {
      const { site, profile, caller } = visit
      const say = transcriptScreenMessages(site)
      const found = await read(visit)
      const { file } = found
      const state = await media.stateOf(found, caller)
      const { job, transcript } = state
      const isOpen = job?.status === 'queued' || job?.status === 'running'
      return {
        crumbs: [
          { name: say('files'), href: `/manage/profiles/${profile.id}/files` },
          { name: file.filename, href: filePath(profile.id, file.id) },
        ],
        lead: say('lead'),
        scripts: isOpen ? [UPLOADS_SCRIPT] : undefined,
        body: html`${isOpen && progressHtml(visit, job)}${
          job?.status === 'failed' &&
          html`<div class="notice"><p>${say('failed', { reason: job.error?.message ?? '' })}</p></div>\n`
        }${transcript ? madeHtml(visit, transcript) : !isOpen && html`<p>${say('none')}</p>\n`}${!isOpen && makeForm(visit, state)}`,
      }
    },
  }
}
