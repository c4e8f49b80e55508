module hone/agentclient

go 1.23
