import { type ArchiveGateway, startArchiveGateway } from './archive-gateway.ts'

/** The whole gateway over the recorded chain on a port of loopback, for clients that are not ours. */
export interface SdkEndpoint {
  gateway: ArchiveGateway
  /** What SDKs are given: API v2 as toncenter has it, through JSON-RPC. */
  url: string
  stop(): Promise<void>
}

export const startSdkEndpoint = async (): Promise<SdkEndpoint> => {
  const gateway = await startArchiveGateway()
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: gateway.fetch })
  return {
    gateway,
    url: `http://127.0.0.1:${server.port}/ton/api/v2/jsonRPC`,
    stop: async () => {
      await server.stop(true)
      await gateway.stop()
    },
  }
}
