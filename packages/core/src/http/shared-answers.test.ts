import { expect, it } from 'vitest'
import { shareAnswers } from './shared-answers.ts'

const missing = { description: 'There is no such resource. '.repeat(8) }
const rare = { description: 'Only this operation has this response. '.repeat(8) }
const operation = (responses: Record<string, object>) => ({ summary: 'Reads', responses: responses })

it('moves a response of several operations to the components, and references it', () => {
  const paths = {
    '/a': { get: operation({ 404: { ...missing }, 409: rare }) },
    '/b': { get: operation({ 404: { ...missing } }), put: operation({ 404: { ...missing } }) },
  }
  const { paths: pointed, responses } = shareAnswers(paths)
  const [name] = Object.keys(responses)
  expect(responses).toEqual({ [String(name)]: missing })
  const pointer = { $ref: `#/components/responses/${name}` }
  expect(pointed['/a']?.get).toEqual({ summary: 'Reads', responses: { 404: pointer, 409: rare } })
  expect(pointed['/b']?.put).toEqual({ summary: 'Reads', responses: { 404: pointer } })
})

it('leaves short responses, and those of one operation, where they are', () => {
  const paths = {
    '/a': {
      get: operation({ 204: { description: 'None' }, 409: rare }),
      put: operation({ 204: { description: 'None' } }),
    },
  }
  expect(shareAnswers(paths)).toEqual({ paths, responses: {} })
})
