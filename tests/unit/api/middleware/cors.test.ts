import { expect, test } from 'bun:test'
import { createCors } from '../../../../src/api/middleware/cors.ts'

test('every origin may read where all are allowed', () => {
  const cors = createCors(['*'])
  expect(cors.headersFor('https://a.example')['access-control-allow-origin']).toBe('*')
  expect(cors.always).toEqual(cors.headersFor(null))
})

test('only listed origins may read where some are, and caches are told so', () => {
  const cors = createCors(['https://a.example', 'https://b.example'])
  expect(cors.always).toBeUndefined()
  expect(cors.headersFor('https://a.example')).toMatchObject({
    vary: 'Origin',
    'access-control-allow-origin': 'https://a.example',
  })
  for (const origin of ['https://c.example', 'null', null]) expect(cors.headersFor(origin)).toEqual({ vary: 'Origin' })
})

test('nobody is told anything where none is allowed', () => {
  const cors = createCors([])
  expect(cors.headersFor('https://a.example')).toEqual({})
  expect(cors.preflight('GET, OPTIONS')).toEqual({ allow: 'GET, OPTIONS' })
})

test('a preflight allows the headers that clients send', () => {
  const headers = createCors(['*']).preflight('GET, POST, OPTIONS')
  expect(headers['access-control-allow-methods']).toBe('GET, POST, OPTIONS')
  for (const name of ['Content-Type', 'X-API-Key', 'X-Ton-Client-Version'])
    expect(headers['access-control-allow-headers']).toContain(name)
})
