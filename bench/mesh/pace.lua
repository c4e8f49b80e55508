-- About a hundred requests a second of each connection, at times that do not depend on each other: what is left of 10 ms beside the request itself.
math.randomseed(os.time())

function delay()
    return math.floor(-math.log(1 - math.random()) * 9.5 + 0.5)
end
