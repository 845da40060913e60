import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../../framework/module/screen.ts'
import {
  actionButton,
  buttonOnly,
  isChosen,
  ofForm,
  screenForm,
  shownText,
  wrongWith,
} from '../../../../framework/module/screen-form.ts'
import { listedPage, nextPageHtml, tableHtml } from '../../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { lineHtml, selectHtml } from '../../../../http/html/inputs.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { emailAddress } from '../../../../kernel/email-address.ts'
import { defineError } from '../../../../kernel/errors.ts'
import { dayText } from '../../../../model/day-text.ts'
import { ROLES } from '../../../../model/permission.ts'
import type { MemberRole, NamedInvitation } from '../../../../ports/storage/teams.ts'
import type { Team, TeamService } from '../../../people/teams/index.ts'
import { usernameSchema } from '../../../profiles/profiles/index.ts'
import { teamScreenMessages } from '../messages.ts'
import { oneId } from '../values.ts'

const MEMBER_ROLES = ROLES.filter((role): role is MemberRole => role !== 'owner')
const MAX_INVITED = 254

type TeamMember = Team['members']['items'][number]

/** The name of the profile confirms its transfer. */
const nameNotTyped = defineError('name_not_typed', 400, 'Type the username of the profile to confirm')

/** The sentences about errors of teams. */
const PROBLEMS = new Map<string, ProblemKey>([
  ['account_not_found', 'noAccount'],
  ['already_member', 'alreadyMember'],
  ['team_full', 'full'],
  ['too_many_mails', 'tooManyMails'],
  ['member_not_found', 'memberGone'],
  ['invitation_not_found', 'invitationGone'],
  ['owner_cannot_leave', 'ownerStays'],
  ['transfer_pending', 'transferPending'],
  ['primary_profile_required', 'ownProfile'],
  ['recipient_is_owner', 'isOwner'],
  [nameNotTyped.code, 'wrongName'],
])

/** The inputs that errors are about. */
const INPUTS = new Map<string, readonly string[]>([
  ['account_not_found', ['invited', 'recipient']],
  ['already_member', ['invited']],
  ['recipient_is_owner', ['recipient']],
  [nameNotTyped.code, ['name']],
])

/** The sentences about what was done. */
const SAID = new Map<string, ProblemKey>([
  ['invited', 'invited'],
  ['withdrawn', 'withdrawn'],
  ['role', 'roleSaved'],
  ['removed', 'removed'],
  ['offered', 'offered'],
])

type ProblemKey = Parameters<ReturnType<typeof teamScreenMessages>>[0]

/** An email address or a username, with or without an @ before it. */
const invited = z
  .string()
  .trim()
  .transform((text) => text.replace(/^@/, ''))
  .pipe(
    z.union([emailAddress.transform((email) => ({ email })), usernameSchema.transform((username) => ({ username }))]),
  )

const role = z.enum(MEMBER_ROLES as [MemberRole, ...MemberRole[]])

const actionsOf = ({ members, invitations, transfers }: TeamService) => ({
  invite: screenAction({
    permission: 'team.manage',
    recent: 'sometimes',
    schema: z.object({ invited, role }),
    async run({ profile, caller, path }: ProfileVisit, values) {
      await invitations.invite(profile.id, { ...values.invited, role: values.role }, caller)
      return { to: path, said: 'invited' }
    },
  }),
  withdraw: screenAction({
    permission: 'team.manage',
    schema: z.object({ invitation: oneId }),
    async run({ profile, caller, path }: ProfileVisit, { invitation }) {
      await invitations.withdraw(profile.id, invitation, caller)
      return { to: path, said: 'withdrawn' }
    },
  }),
  setRole: screenAction({
    permission: 'team.manage',
    recent: 'sometimes',
    schema: z.object({ member: z.string().max(128), role }),
    async run({ profile, caller, path }: ProfileVisit, values) {
      await members.setRole(profile.id, values.member, values.role, caller)
      return { to: path, said: 'role' }
    },
  }),
  remove: screenAction({
    permission: 'team.manage',
    recent: 'sometimes',
    schema: z.object({ member: z.string().max(128) }),
    async run({ profile, caller, path }: ProfileVisit, { member }) {
      await members.remove(profile.id, member, caller)
      return { to: path, said: 'removed' }
    },
  }),
  leave: screenAction({
    permission: 'team.read',
    schema: z.object({}),
    async run({ profile, caller }: ProfileVisit) {
      await members.remove(profile.id, caller.account.id, caller)
      return { to: '/dashboard' }
    },
  }),
  transfer: screenAction({
    permission: 'profile.transfer',
    recent: true,
    schema: z.object({ recipient: usernameSchema, name: z.string() }),
    async run({ profile, caller, path }: ProfileVisit, { recipient, name }) {
      if (name.trim() !== profile.username) throw nameNotTyped()
      await transfers.offer(profile.id, recipient, caller)
      return { to: path, said: 'offered' }
    },
  }),
})

function roleForm(visited: ProfileVisit, member: TeamMember): Html | false {
  const [actions, among] = [['setRole'], { member: member.accountId }]
  const visit = ofForm(visited, actions, among)
  const say = teamScreenMessages(visit.site)
  const id = `role-${member.accountId}`
  return screenForm(
    visit,
    { actions, among },
    html`<label class="sr-only" for="${id}">${say('roleOf', { name: member.fullName ?? member.username })}</label><select id="${id}" name="role">${MEMBER_ROLES.map((each) => html`<option value="${each}"${isChosen(visit, 'role', each, each === member.role) && html` selected`}>${say(each)}</option>`)}</select> ${actionButton(visit, 'setRole', say('saveRole'), 'second')}`,
  )
}

function membersHtml(visit: ProfileVisit, { members }: Team): Html {
  const { site, caller } = visit
  const say = teamScreenMessages(site)
  const isSelf = ({ accountId }: TeamMember) => accountId === caller.account.id
  const buttons = (member: TeamMember) => {
    if (member.role === 'owner') return html``
    if (isSelf(member)) return html`${buttonOnly(visit, 'leave', say('leave'))}`
    return html`${buttonOnly(visit, 'remove', say('remove'), { member: member.accountId }, 'quiet')}`
  }
  return tableHtml<TeamMember>(
    say('members'),
    [
      {
        label: say('member'),
        cell: (member) =>
          html`<a href="${hrefOn(site, `/u/${member.username}`)}"><bdi>${member.fullName ?? member.username}</bdi></a>${isSelf(member) && html` <span class="tag">${say('you')}</span>`}`,
      },
      {
        label: say('role'),
        cell: (member) =>
          (member.role !== 'owner' && !isSelf(member) && roleForm(visit, member)) || html`${say(member.role)}`,
      },
      { label: say('since'), cell: ({ createdAt }) => dayText(site, createdAt), isNumber: true },
      { label: '', cell: buttons },
    ],
    members.items,
  )
}

function invitationsHtml(visit: ProfileVisit, invitations: readonly NamedInvitation[]): Html | false {
  const { site } = visit
  const say = teamScreenMessages(site)
  return (
    invitations.length > 0 &&
    html`<h2>${say('invitations')}</h2><ul class="rows">${invitations.map(
      ({ id, email, username, role: invitedAs, expiresAt }) =>
        html`<li><strong><bdi>${email ?? username}</bdi></strong><small>${say(invitedAs)} · ${say('until', { day: dayText(site, expiresAt) })}</small>${buttonOnly(visit, 'withdraw', say('withdraw'), { invitation: String(id) }, 'quiet')}</li>\n`,
    )}</ul>\n`
  )
}

function inviteForm(visited: ProfileVisit): Html | false {
  const actions = ['invite']
  const visit = ofForm(visited, actions)
  const say = teamScreenMessages(visit.site)
  return screenForm(
    visit,
    { actions },
    html`<h2>${say('inviteTitle')}</h2><div class="pair">${lineHtml({
      name: 'invited',
      label: say('invitedLabel'),
      value: shownText(visit, 'invited', ''),
      maxLength: MAX_INVITED,
      isRequired: true,
      isExact: true,
      problem: wrongWith(visit, 'invited'),
    })}${selectHtml({
      name: 'role',
      label: say('role'),
      choices: MEMBER_ROLES.map((each) => ({
        value: each,
        label: say(`${each}Does`),
        isChosen: isChosen(visit, 'role', each, each === 'editor'),
      })),
    })}</div><p>${actionButton(visit, 'invite', say('invite'))}</p>`,
  )
}

function transferForm(visited: ProfileVisit): Html | false {
  const actions = ['transfer']
  const visit = ofForm(visited, actions)
  const { site, profile } = visit
  const say = teamScreenMessages(site)
  const form = screenForm(
    visit,
    { actions },
    html`<p>${say('transferText')}</p>${lineHtml({
      name: 'recipient',
      label: say('recipient'),
      value: shownText(visit, 'recipient', ''),
      maxLength: 64,
      isRequired: true,
      isExact: true,
      problem: wrongWith(visit, 'recipient'),
    })}${lineHtml({
      name: 'name',
      id: 'typed-name',
      label: say('typeName', { name: profile.username }),
      value: shownText(visit, 'name', ''),
      maxLength: 64,
      isRequired: true,
      isExact: true,
      problem: wrongWith(visit, 'name'),
    })}<p>${actionButton(visit, 'transfer', say('transfer'), 'danger')}</p>`,
  )
  return form && html`<details><summary>${say('transferTitle')}</summary>${form}</details>\n`
}

/** The screen with the team of a profile: its members, their roles, invitations, and the transfer to another owner. */
export const teamScreen = ({ teams }: { readonly teams: TeamService }): Screen => ({
  name: 'profileTeam',
  path: '/manage/profiles/:id/team',
  section: 'profile',
  permission: 'team.read',
  nav: { position: 70 },
  query: ['cursor'],
  title: (page) => teamScreenMessages(page)('title'),
  said(outcome, page) {
    const key = SAID.get(outcome)
    return key && teamScreenMessages(page)(key)
  },
  problem({ code }, page) {
    const key = PROBLEMS.get(code)
    return key && teamScreenMessages(page)(key)
  },
  wrong: (input, page) =>
    teamScreenMessages(page)(input === 'invited' ? 'wrongInvited' : input === 'name' ? 'wrongName' : 'wrongRecipient'),
  inputsOf: ({ code }) => INPUTS.get(code) ?? [],
  post: actionsOf(teams),
  async get(visit) {
    const team = await teams.members.get(visit.profile.id, listedPage(visit), visit.caller)
    const say = teamScreenMessages(visit.site)
    return {
      lead: say('lead'),
      body: html`${membersHtml(visit, team)}${nextPageHtml(visit, team.members, say('next'))}${invitationsHtml(visit, team.invitations ?? [])}${inviteForm(visit)}${transferForm(visit)}`,
    }
  },
})
