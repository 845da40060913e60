import { type ProfileVisit, type Screen, screenAction } from '../../../../framework/module/screen.ts'
import { invalidCursor } from '../../../../kernel/page.ts'
import { tooManyJobs } from '../../../jobs/index.ts'
import { exportNotFound, tooManyExports } from '../errors.ts'
import { exportScreenMessages } from '../messages.ts'
import { downloadAction, type ExportsScreen, exportForm, exportProblem, exportsView } from './exports-html.ts'

/** The screen with the exports of a profile that the caller requested: it starts one, and downloads the last one. */
export const exportsScreen = (deps: ExportsScreen): Screen => ({
  name: 'profileExports',
  path: '/manage/profiles/:id/exports',
  section: 'profile',
  permission: 'profile.export',
  nav: { position: 80 },
  query: ['cursor'],
  errors: [invalidCursor, tooManyExports, tooManyJobs, exportNotFound],
  title: (page) => exportScreenMessages(page)('title'),
  said: (outcome, page) => (outcome === 'started' ? exportScreenMessages(page)('didStart') : undefined),
  problem: exportProblem,
  post: {
    start: screenAction({
      permission: 'profile.export',
      recent: true,
      schema: exportForm,
      async run({ profile, caller, path }: ProfileVisit, { format }) {
        await deps.archives.requestExport({ profileId: profile.id, format }, caller)
        return { to: path, said: 'started' }
      },
    }),
    download: downloadAction(deps, 'profile.export'),
  },
  get(visit) {
    const say = exportScreenMessages(visit.site)
    return exportsView(visit, deps, { profileId: visit.profile.id, lead: say('lead'), none: say('none') })
  },
})
