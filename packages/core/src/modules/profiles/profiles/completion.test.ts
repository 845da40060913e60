import { expect, test } from 'vitest'
import { completionOf } from './completion.ts'

const empty = { avatarUrl: null, bio: null, socials: {}, skills: [] }
const whole = { avatarUrl: 'https://a.example/a.png', bio: 'Hello.', socials: { web: '@ada' }, skills: ['gears'] }

test.each([
  [empty, ['avatar', 'bio', 'socials', 'skills']],
  [whole, []],
  [{ ...whole, avatarUrl: null }, ['avatar']],
  [{ ...whole, bio: ' \n' }, ['bio']],
  [{ ...whole, socials: {} }, ['socials']],
  [{ ...whole, skills: [] }, ['skills']],
])('lists what %j lacks', (profile, missing) => {
  expect(completionOf(profile)).toEqual({ missing, count: missing.length })
})
