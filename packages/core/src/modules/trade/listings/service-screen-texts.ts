import type { ProfileVisit, Screen } from '../../../framework/module/screen.ts'
import { serviceChanged, serviceNotFound, tooManyServices } from './errors.ts'
import { serviceEditMessages } from './messages.ts'

/** The path of the screen with the services of a profile. */
export const SERVICES_PATH = '/manage/profiles/:id/services'

/** The path of the screen with the services of the profile of a visit. */
export const servicesPathOf = ({ profile }: Pick<ProfileVisit, 'profile'>): string =>
  SERVICES_PATH.replace(':id', String(profile.id))

const OUTCOMES = ['created', 'changed', 'deleted'] as const

/** What the screens of services say about their forms. */
export const serviceScreenTexts: Required<Pick<Screen, 'said' | 'problem' | 'wrong'>> = {
  said(outcome, page) {
    const known = OUTCOMES.find((each) => each === outcome)
    return known && serviceEditMessages(page)(known)
  },
  problem({ code }, page) {
    if (code === tooManyServices.code) return serviceEditMessages(page)('tooMany')
    if (code === serviceChanged.code) return serviceEditMessages(page)('changedMeanwhile')
    return code === serviceNotFound.code ? serviceEditMessages(page)('gone') : undefined
  },
  wrong: (input, page) =>
    input === 'amount' || input === 'currency' ? serviceEditMessages(page)('wrongPrice') : undefined,
}
